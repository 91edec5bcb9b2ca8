package io.millrace.story;

/**
 * Proves checkpoint backfill on a running stack whose first cluster is real Slurm; {@code ./millrace prove checkpoint-backfill} brings that
 * stack up.
 */
public final class ProveCheckpointBackfill {

    private static final Telling STORY = (site, cast) -> {
        final CheckpointBackfill story = new CheckpointBackfill(site.clusters().getFirst(), cast);
        return new Telling.End(story.tell(), story.times());
    };

    private ProveCheckpointBackfill() {}

    public static void main(final String[] arguments) {
        STORY.asProcess(ProveCheckpointBackfill.class, arguments);
    }
}
