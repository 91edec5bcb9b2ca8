package io.millrace.submit.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.KnownPartitions.Known;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KnownPartitionsTest {

    private static final KnownPartitions KNOWN = KnownPartitions.of(Stream.of(
            cluster("alpha", Control.DIRECTED, Set.of(Capability.MOVE), Map.of(), "main", "fast"),
            cluster("beta", Control.DIRECTED, Set.of(Capability.PARTITION_CHOICE), Map.of(), "main", "long"),
            cluster(
                    "gamma",
                    Control.NATIVE,
                    Set.of(Capability.MOVE),
                    Map.of(Capability.PARTITION_CHOICE, "PBS starts a job in one queue"),
                    "main",
                    "wide")));

    @Test
    void unknown_clusters_and_partitions_are_reported_with_the_known_ones() {
        refused(
                opens("delta", null, "fast"),
                "'overflow.0.cluster' names unknown cluster 'delta'; did you mean 'beta'? Known clusters: alpha, beta,"
                        + " gamma");
        refused(
                opens("alpha", "long", "main"),
                "'overflow.0.from' names unknown partition 'long'; partitions of alpha: [fast, main]");
        refused(
                opens(null, null, "fats"),
                "'overflow.0.to' names unknown partition 'fats'; known partitions: [fast, long, main, wide]");
        assertThatCode(() -> KNOWN.requireKnown(List.of(opens(null, "main", "fast", "wide")), List.of()))
                .doesNotThrowAnyException();
    }

    @Test
    void rules_in_force_may_stay_after_their_partition_is_removed() {
        final PartitionOverflow gone = opens("alpha", null, "gone");

        assertThatCode(() -> KNOWN.requireKnown(List.of(gone, opens("alpha", null, "fast")), List.of(gone)))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(RequestRefused.class)
                .isThrownBy(() -> KNOWN.requireKnown(List.of(gone, opens("alpha", null, "far")), List.of(gone)))
                .withMessageStartingWith("'overflow.1.to' names unknown partition 'far'");
    }

    /** */
    @Test
    void rules_without_effect_on_a_cluster_give_a_warning_with_the_reason() {
        assertThat(KNOWN.warnings(List.of(opens("alpha", null, "fast"), opens(null, null, "fast"))))
                .isEmpty();
        assertThat(KNOWN.warnings(List.of(opens(null, null, "long", "wide", "fast"))))
                .containsExactly(
                        "the rule has no effect on beta (slurm 22.05, directed):"
                                + " it does not support moving jobs between partitions",
                        "the rule has no effect on gamma (slurm 22.05, native): PBS starts a job in one queue");
    }

    private static void refused(final PartitionOverflow asked, final String reason) {
        assertThatExceptionOfType(RequestRefused.class)
                .isThrownBy(() -> KNOWN.requireKnown(List.of(asked), List.of()))
                .withMessage(reason);
    }

    private static PartitionOverflow opens(
            final @Nullable String cluster, final @Nullable String from, final String... to) {
        return new PartitionOverflow(
                cluster == null ? null : ClusterId.of(cluster),
                from == null ? null : PartitionName.of(from),
                5000,
                Stream.of(to).map(PartitionName::of).toList());
    }

    private static Known cluster(
            final String name,
            final Control control,
            final Set<Capability> capabilities,
            final Map<Capability, String> notes,
            final String... partitions) {
        final Resources resources = new Resources(16, 2, 32_000, 0);
        return new Known(
                new RevisionClosed(
                        ClusterId.of(name),
                        1,
                        Instant.parse("2026-03-01T08:00:00Z"),
                        new WlmHealth.Answering(),
                        control,
                        "slurm 22.05",
                        resources,
                        resources,
                        capabilities,
                        0,
                        null,
                        null,
                        notes),
                Stream.of(partitions).map(PartitionName::of).collect(Collectors.toCollection(TreeSet::new)));
    }
}
