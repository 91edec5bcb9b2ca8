package io.millrace.backfill.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionLimitTest {

    private static final PartitionName MAIN = PartitionName.of("main");

    private static JobObserved ofQos(final @Nullable String qos) {
        return new JobObserved(
                        new JobKey(new JobId(ClusterId.of("alpha"), "1"), Instant.EPOCH),
                        "job",
                        UserName.of("anna"),
                        null,
                        MAIN,
                        new JobState.Queued(),
                        null,
                        Resources.cores(1),
                        Duration.ofHours(1),
                        null,
                        null,
                        0,
                        0,
                        new CheckpointMethod.None())
                .with(new JobDetail(qos, null, List.of(), Placement.ANYWHERE, false, true));
    }

    private static PartitionLimit partition(final @Nullable Set<String> qos, final @Nullable Set<String> denied) {
        final Access access = new Access(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), qos, denied);
        return new PartitionLimit(MAIN, 8, true, PartitionLimits.NONE, access);
    }

    @Test
    void a_job_whose_qos_a_partition_does_not_take_never_starts_there() {
        final PartitionLimit picky = partition(Set.of("normal", "high"), null);
        assertThat(picky.veto(ofQos("normal"))).isEmpty();
        assertThat(picky.veto(ofQos("scavenger")))
                .contains(Veto.permanent("no-access", "partition 'main' takes no jobs of QoS 'scavenger'"));
        assertThat(partition(null, Set.of("scavenger")).veto(ofQos("scavenger")))
                .isPresent();
        assertThat(partition(null, Set.of("scavenger")).veto(ofQos("normal"))).isEmpty();
    }

    @Test
    void where_no_qos_is_known_none_is_missed() {
        assertThat(partition(Set.of("normal"), null).veto(ofQos(null))).isEmpty();
        assertThat(partition(null, null).veto(ofQos("anything"))).isEmpty();
    }
}
