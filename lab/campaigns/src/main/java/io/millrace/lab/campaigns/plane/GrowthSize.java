package io.millrace.lab.campaigns.plane;

import java.util.Locale;

/**
 * The size of a centre.
 *
 * @param waiting jobs that wait in the queues of all clusters
 * @param partitions of each topic that is spread by cluster
 */
record GrowthSize(int waiting, int clusters, int partitions) {

    GrowthSize {
        if (waiting < clusters) {
            throw new IllegalArgumentException(
                    clusters + " clusters need at least " + clusters + " waiting jobs, got " + waiting);
        }
    }

    /** What the size is in one dimension. */
    int in(final Dimension dimension) {
        return switch (dimension) {
            case WAITING -> waiting;
            case CLUSTERS -> clusters;
            case PARTITIONS -> partitions;
        };
    }

    /** What can grow. */
    enum Dimension {
        WAITING("waiting jobs"),
        CLUSTERS("clusters"),
        PARTITIONS("partitions");

        private final String label;

        Dimension(final String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d jobs, %,d clusters, %,d partitions", waiting, clusters, partitions);
    }
}
