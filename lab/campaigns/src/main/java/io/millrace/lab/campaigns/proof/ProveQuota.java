package io.millrace.lab.campaigns.proof;

import io.millrace.story.Participants;
import io.millrace.story.Scenario;
import io.millrace.story.Site;
import io.millrace.story.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the quota scenario on each cluster of a running stack of real Slurm. {@code ./millrace prove quota} starts the stack: Millrace
 * preempts on one cluster, Slurm on the other.
 */
public final class ProveQuota {

    private ProveQuota() {}

    public static void main(final String[] arguments) {
        final Scenario scenario = ProveQuota::run;
        scenario.asProcess(ProveQuota.class, arguments);
    }

    private static Scenario.Outcome run(final Site site, final Participants participants) {
        final String first = site.clusters().getFirst().name();
        participants
                .operator()
                .millrace(first, "mgquota", List.of("clusters"))
                .orThrow()
                .lines()
                .forEach(participants.output()::plain);
        final List<Verdict> verdicts = new ArrayList<>();
        final List<String> figures = new ArrayList<>(List.of(QuotaScenario.heading()));
        for (final Site.Cluster cluster : site.clusters()) {
            final QuotaScenario scenario = new QuotaScenario(cluster, participants);
            verdicts.addAll(scenario.run(
                    cluster.name().equals(first)
                            ? Optional.of(new CheckpointedVictim(participants.alice()))
                            : Optional.empty()));
            figures.addAll(scenario.figures());
        }
        return new Scenario.Outcome(verdicts, figures);
    }
}
