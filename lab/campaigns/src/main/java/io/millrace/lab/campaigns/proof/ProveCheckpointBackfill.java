package io.millrace.lab.campaigns.proof;

import io.millrace.story.Scenario;

/**
 * Proves checkpoint backfill on a running stack. Its first cluster is real Slurm; {@code ./millrace prove checkpoint-backfill} starts
 * the stack.
 */
public final class ProveCheckpointBackfill {

    private static final Scenario SCENARIO = (site, participants) -> {
        final CheckpointBackfillScenario scenario =
                new CheckpointBackfillScenario(site.clusters().getFirst(), participants);
        return new Scenario.Outcome(scenario.run(), scenario.times());
    };

    private ProveCheckpointBackfill() {}

    public static void main(final String[] arguments) {
        SCENARIO.asProcess(ProveCheckpointBackfill.class, arguments);
    }
}
