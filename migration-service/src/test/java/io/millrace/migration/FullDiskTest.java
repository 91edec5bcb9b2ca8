package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.TransferState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Copies that find no room on their cluster: alpha is full of jobs, so its jobs run on beta, which is faster, or on gamma. */
class FullDiskTest {

    private static final String FULL =
            "write failed on \"x\": No space left on device (28); make room at the destination";

    private final World world = new World(Policies.queueing(Duration.ofDays(1), BETA, GAMMA));
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 8);
    private final ScriptedCluster gamma = world.cluster(GAMMA, 8);
    /** The code with which copies to a cluster fail. */
    private final Map<ClusterId, VetoCode> noRoom = new HashMap<>();

    FullDiskTest() {
        alpha.occupy(8);
        alpha.observe();
        world.transfers.ending = this::ending;
    }

    private TransferState ending(final TransferId transfer) {
        final Request.TransferRequested request = world.events(
                        Request.TransferRequested.class, asked -> asked.id().equals(transfer))
                .getFirst();
        final VetoCode code = noRoom.get(request.to().cluster());
        return code == null
                ? new TransferState.Verified("1 file, 1 B, sha256 00")
                : new TransferState.Planned(1, FULL, code.code());
    }

    private void submit(final Samples... samples) {
        for (final Samples sample : samples) {
            world.say(sample.submitted(world.now));
        }
        world.settle();
    }

    private List<Attempt> attempts(final Samples sample) {
        return world.job(sample).attempts();
    }

    private void later(final Duration time) {
        world.pass(time);
        world.clusters.values().forEach(ScriptedCluster::observe);
        world.settle();
    }

    @Test
    void a_job_whose_files_find_no_room_goes_to_another_cluster() {
        noRoom.put(BETA, VetoCode.DISK_FULL);
        submit(job("A"));
        assertThat(attempts(job("A"))).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
        assertThat(attempts(job("A")).getFirst().end()).isEqualTo(new AttemptEnd(AttemptEnd.Cause.DISK_FULL, FULL));
        assertThat(attempts(job("A")).getLast().reason()).contains("beta: attempt 1");
        assertThat(world.state(job("A"))).isInstanceOf(GlobalJobState.Submitted.class);
        assertThat(world.events(Request.TransferCancelRequested.class, cancel -> true))
                .extracting(cancel -> cancel.id().value())
                .containsExactly(job("A").id() + ".1/upload");
    }

    @Test
    void capacity_for_one_job_that_leaves_a_full_disk_is_not_given_to_the_next() {
        noRoom.put(BETA, VetoCode.DISK_FULL);
        submit(job("A").cores(4), job("B").cores(4), job("C").cores(4));
        assertThat(List.of(job("A"), job("B"), job("C")))
                .filteredOn(sample -> attempts(sample).getLast().cluster().equals(GAMMA))
                .hasSize(2);
    }

    @Test
    void a_job_that_no_other_cluster_accepts_keeps_its_copy_and_says_why() {
        noRoom.put(BETA, VetoCode.DISK_QUOTA_EXCEEDED);
        final JobKey other = gamma.occupy(8);
        gamma.observe();
        submit(job("A"));
        assertThat(attempts(job("A"))).extracting(Attempt::cluster).containsExactly(BETA);
        assertThat(world.plan(job("A")).vetoes()).singleElement().satisfies(veto -> {
            assertThat(veto.code()).isEqualTo("disk-quota-exceeded");
            assertThat(veto.reason()).contains(FULL);
        });

        gamma.end(other, new RunOutcome.Exited(0));
        later(Duration.ofSeconds(30));
        assertThat(attempts(job("A"))).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
    }

    @Test
    void a_job_whose_owner_requested_the_cluster_stays() {
        noRoom.put(BETA, VetoCode.DISK_FULL);
        submit(job("A").pinnedTo(BETA));
        later(Duration.ofHours(1));
        assertThat(attempts(job("A"))).extracting(Attempt::cluster).containsExactly(BETA);
        noRoom.clear();
        later(Duration.ofSeconds(30));
        assertThat(world.state(job("A"))).isInstanceOf(GlobalJobState.Submitted.class);
    }

    @Test
    void a_full_cluster_is_considered_again_after_ten_minutes() {
        noRoom.put(BETA, VetoCode.DISK_FULL);
        noRoom.put(GAMMA, VetoCode.DISK_QUOTA_EXCEEDED);
        submit(job("A"));
        assertThat(attempts(job("A"))).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
        assertThat(world.plan(job("A")).vetoes()).extracting(Veto::code).containsExactly("disk-quota-exceeded");
        noRoom.remove(BETA);
        later(Duration.ofMinutes(9));
        assertThat(attempts(job("A"))).hasSize(2);
        later(Duration.ofMinutes(2));
        assertThat(attempts(job("A"))).extracting(Attempt::cluster).containsExactly(BETA, GAMMA, BETA);
        world.restart();
        assertThat(world.state(job("A"))).isInstanceOf(GlobalJobState.Submitted.class);
    }
}
