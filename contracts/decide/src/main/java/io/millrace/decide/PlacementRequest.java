package io.millrace.decide;

import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.Placement;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job requests of the nodes of a cluster.
 *
 * @param partition the partition it must run in; null: any
 */
public record PlacementRequest(
        Resources resources, Placement placement, @Nullable PartitionName partition) {

    public static PlacementRequest of(final JobObserved job) {
        return new PlacementRequest(job.resources(), job.detail().placement(), job.partition());
    }

    /** Cores, and perhaps a number of nodes, anywhere. */
    public static PlacementRequest of(final Resources resources) {
        return new PlacementRequest(resources, Placement.ANYWHERE, null);
    }

    /** A fingerprint of the request and the nodes, free or not; it changes with each property of them that decides where the job can start. */
    public String onNodes(final Collection<NodeObserved> nodes) {
        final StringBuilder all = new StringBuilder()
                .append(resources)
                .append(partition)
                .append(placement.features())
                .append(placement.nodes())
                .append(placement.coresPerNode())
                .append(placement.exclusive())
                .append(new TreeMap<>(placement.licences()));
        nodes.stream()
                .sorted(Comparator.comparing(node -> node.node().value()))
                .forEach(node -> all.append(node.node())
                        .append(node.availability())
                        .append(node.total())
                        .append(node.features())
                        .append(node.partitions()));
        return digest(all.toString());
    }

    private static String digest(final String text) {
        try {
            final byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Whether nodes of the same size are interchangeable: the job requests only cores and a number of nodes. */
    boolean isPlain() {
        return resources.memoryMib() == 0
                && resources.gpus() == 0
                && placement.features().isEmpty()
                && placement.nodes().isEmpty()
                && placement.coresPerNode() == 0
                && !placement.exclusive();
    }
}
