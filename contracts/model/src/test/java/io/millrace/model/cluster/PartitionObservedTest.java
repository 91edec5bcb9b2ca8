package io.millrace.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionObservedTest {

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
                        Eligibility.since(Instant.EPOCH),
                        null,
                        0,
                        0,
                        new CheckpointMethod.None(),
                        JobDetail.NONE)
                .with(new JobDetail(qos, null, List.of(), Placement.ANYWHERE, false, true, null));
    }

    private static PartitionObserved partition(final @Nullable Set<String> qos, final @Nullable Set<String> denied) {
        final Access access = new Access(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), qos, denied);
        return new PartitionObserved(
                ClusterId.of("alpha"),
                MAIN,
                true,
                true,
                8,
                Duration.ofHours(4),
                new PartitionLimits(true, 0, 2, 6, null),
                access);
    }

    @Test
    void a_job_whose_qos_a_partition_does_not_take_never_starts_there() {
        final PartitionObserved picky = partition(Set.of("normal", "high"), null);
        assertThat(picky.veto(ofQos("normal"))).isEmpty();
        assertThat(picky.veto(ofQos("scavenger")))
                .contains(VetoCode.ACCESS_DENIED.veto("partition 'main' takes no jobs of QoS 'scavenger'"));
        assertThat(partition(null, Set.of("scavenger")).veto(ofQos("scavenger")))
                .isPresent();
        assertThat(partition(null, Set.of("scavenger")).veto(ofQos("normal"))).isEmpty();
    }

    @Test
    void where_no_qos_is_known_none_is_missed() {
        assertThat(partition(Set.of("normal"), null).veto(ofQos(null))).isEmpty();
        assertThat(partition(null, null).veto(ofQos("anything"))).isEmpty();
    }

    @Test
    void a_job_that_a_partition_refuses_gets_the_reason_with_figures() {
        final PartitionObserved open = partition(null, null);
        final PartitionObserved closed = new PartitionObserved(
                open.cluster(), MAIN, false, true, 8, null, PartitionLimits.NONE, Access.EVERYBODY);

        assertThat(closed.veto(ofQos(null))).contains(VetoCode.PARTITION_CLOSED.veto("partition 'main' is closed"));
        assertThat(open.veto(sized(Resources.cores(9), 1)))
                .contains(VetoCode.EXCEEDS_PARTITION.veto("needs 9 cores, partition 'main' has 8"));
        assertThat(open.veto(sized(Resources.cores(7), 1)))
                .contains(VetoCode.EXCEEDS_PARTITION.veto("needs 7 cores, partition 'main' allows 6 a job"));
        assertThat(open.veto(sized(new Resources(6, 3, 0, 0), 1)))
                .contains(VetoCode.EXCEEDS_PARTITION.veto("needs 3 nodes, partition 'main' allows 2 a job"));
        assertThat(open.veto(sized(Resources.cores(6), 5)))
                .contains(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto("requests PT5H, partition 'main' allows PT4H"));
        assertThat(open.veto(sized(new Resources(6, 2, 0, 0), 4))).isEmpty();
    }

    private static JobObserved sized(final Resources resources, final int hours) {
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("alpha"), "2"), Instant.EPOCH),
                "job",
                UserName.of("anna"),
                null,
                MAIN,
                new JobState.Queued(),
                null,
                resources,
                Duration.ofHours(hours),
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }
}
