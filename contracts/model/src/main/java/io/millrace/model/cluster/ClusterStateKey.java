package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;

/** A record key on {@code millrace.cluster-state}; its text form is the key. */
public sealed interface ClusterStateKey {

    String JOB = "/job/";
    String NODE = "/node/";
    String PARTITION = "/partition/";
    String SITE_MAPPING = "/site-mapping";
    String CONDITIONS = "/conditions";
    String MARKER = "/marker";

    ClusterId cluster();

    /** {@code alpha/job/12@2026-01-01T00:00:00Z} */
    record Job(JobKey job) implements ClusterStateKey {

        @Override
        public ClusterId cluster() {
            return job.cluster();
        }

        @Override
        public String toString() {
            return cluster() + JOB + job.id().local() + "@" + job.submittedAt();
        }
    }

    /** {@code alpha/node/n1} */
    record Node(ClusterId cluster, NodeName node) implements ClusterStateKey {

        @Override
        public String toString() {
            return cluster + NODE + node;
        }
    }

    /** {@code alpha/partition/main} */
    record Partition(ClusterId cluster, PartitionName partition) implements ClusterStateKey {

        @Override
        public String toString() {
            return cluster + PARTITION + partition;
        }
    }

    /** {@code alpha/site-mapping} */
    record SiteMapping(ClusterId cluster) implements ClusterStateKey {

        @Override
        public String toString() {
            return cluster + SITE_MAPPING;
        }
    }

    /** {@code alpha/conditions} */
    record Conditions(ClusterId cluster) implements ClusterStateKey {

        @Override
        public String toString() {
            return cluster + CONDITIONS;
        }
    }

    /** {@code alpha/marker}: the newest revision of the cluster. */
    record Marker(ClusterId cluster) implements ClusterStateKey {

        @Override
        public String toString() {
            return cluster + MARKER;
        }
    }

    /** Something that only newer agents publish. */
    record Other(ClusterId cluster, String about) implements ClusterStateKey {

        @Override
        public String toString() {
            return cluster + about;
        }
    }

    /** @throws IllegalArgumentException if it names no cluster, or no valid job, node or partition */
    static ClusterStateKey of(final String key) {
        final int slash = Math.max(key.indexOf('/'), 0);
        final ClusterId cluster = ClusterId.of(key.substring(0, slash));
        final String about = key.substring(slash);
        if (about.startsWith(JOB)) {
            return new Job(JobKey.of(cluster + "/" + about.substring(JOB.length())));
        }
        if (about.startsWith(NODE)) {
            return new Node(cluster, NodeName.of(about.substring(NODE.length())));
        }
        if (about.startsWith(PARTITION)) {
            return new Partition(cluster, PartitionName.of(about.substring(PARTITION.length())));
        }
        return switch (about) {
            case SITE_MAPPING -> new SiteMapping(cluster);
            case CONDITIONS -> new Conditions(cluster);
            case MARKER -> new Marker(cluster);
            default -> new Other(cluster, about);
        };
    }
}
