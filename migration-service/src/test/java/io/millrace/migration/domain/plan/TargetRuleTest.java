package io.millrace.migration.domain.plan;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.ANNA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.TargetRule;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alpha is the source of the jobs and busy; beta and gamma are idle unless a test says otherwise. Local jobs have a walltime of one hour. */
class TargetRuleTest {

    private World world;
    private ScriptedCluster alpha;
    private ScriptedCluster beta;
    private ScriptedCluster gamma;

    private void rule(final TargetRule rule, final Map<ClusterId, Double> factors) {
        policy(Policies.of(rule, factors));
    }

    private void policy(final MigrationPolicy policy) {
        world = new World(policy);
        alpha = world.cluster(ALPHA, 8);
        beta = world.cluster(BETA, 16);
        gamma = world.cluster(GAMMA, 32);
        alpha.occupy(8);
        look();
    }

    private void look() {
        world.clusters.values().forEach(ScriptedCluster::observe);
        world.decide();
    }

    private void submit(final Samples sample) {
        world.say(sample.submitted(world.now));
        world.decide();
    }

    private ClusterId placeOf(final Samples sample) {
        assertThat(world.job(sample).attempt())
                .as("placement of %s", world.state(sample))
                .isNotNull();
        return world.job(sample).attempt().cluster();
    }

    @Test
    void by_the_earliest_end_a_job_goes_to_the_fastest_idle_cluster() {
        rule(TargetRule.EARLIEST_END, Map.of(BETA, 1.0, GAMMA, 0.5));
        submit(job("A"));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        assertThat(world.job(job("A")).attempt().reason())
                .contains("gamma: predicted to end there first, at 2026-03-01T12:30:00Z", "beta: accepted");
    }

    @Test
    void by_the_earliest_end_a_job_waits_for_a_fast_cluster_that_is_busy_for_a_short_time() {
        rule(TargetRule.EARLIEST_END, Map.of(BETA, 0.1));
        beta.occupy(16);
        look();
        submit(job("A").hours(10));
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
        assertThat(world.plan(job("A")).vetoes())
                .extracting(Veto::code)
                .containsExactlyInAnyOrder(
                        VetoCode.NO_IDLE_CORES.code(),
                        VetoCode.NO_IDLE_CORES.code(),
                        VetoCode.PREFERS_OTHER_CLUSTER.code());

        world.pass(Duration.ofMinutes(6));
        look();
        assertThat(placeOf(job("A"))).as("its queue").isEqualTo(BETA);
    }

    @Test
    void by_the_earliest_end_a_job_does_not_wait_for_a_fast_cluster_whose_plan_is_full() {
        rule(TargetRule.EARLIEST_END, Map.of(BETA, 0.1));
        final JobKey running = beta.occupy(16);
        look();
        world.say(new Plan(running, Issuer.BACKFILL, null, 1, "runs", List.of()));
        final JobKey next = beta.queue(16);
        look();
        world.say(new Plan(next, Issuer.BACKFILL, world.now.plus(Duration.ofHours(9)), 1, "reserved", List.of()));
        submit(job("A").hours(4));
        assertThat(world.state(job("A")))
                .as("room on beta between the running job and the next one")
                .isInstanceOf(Waiting.class);

        world.say(new Plan(next, Issuer.BACKFILL, world.now.plus(Duration.ofHours(1)), 1, "reserved", List.of()));
        world.pass(Duration.ofSeconds(11));
        look();
        submit(job("B").hours(2));
        assertThat(placeOf(job("B"))).isEqualTo(GAMMA);
    }

    @Test
    void by_the_earliest_end_a_slow_link_counts() {
        rule(TargetRule.EARLIEST_END, Map.of(BETA, 0.9));
        transferred("x", BETA, Duration.ofMinutes(30));
        submit(job("A"));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        submit(job("B").hours(10));
        assertThat(placeOf(job("B"))).as("30 minutes matter less than an hour").isEqualTo(BETA);
    }

    @Test
    void by_core_hours_a_job_goes_to_the_idle_cluster_that_needs_fewest() {
        rule(TargetRule.LEAST_CORE_HOURS, Map.of(ALPHA, 0.1, BETA, 1.0, GAMMA, 0.5));
        submit(job("A").cores(32));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        submit(job("B"));
        assertThat(placeOf(job("B"))).as("gamma is full").isEqualTo(BETA);
    }

    @Test
    void by_data_locality_a_job_waits_for_its_source_cluster() {
        rule(TargetRule.DATA_LOCALITY, Map.of());
        submit(job("A"));
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
        assertThat(world.plan(job("A")).vetoes())
                .extracting(Veto::reason)
                .contains("beta: could start it now, but it waits for alpha: the data of the job are there");
    }

    @Test
    void by_data_locality_a_job_too_large_for_its_source_goes_where_its_files_arrive_first() {
        rule(TargetRule.DATA_LOCALITY, Map.of());
        transferred("x", BETA, Duration.ofMinutes(10));
        transferred("y", GAMMA, Duration.ofMinutes(2));
        submit(job("A").cores(12));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
    }

    @Test
    void with_home_jobs_first_a_job_from_another_cluster_starts_only_if_it_delays_no_job_in_the_queue_there() {
        policy(Policies.of(TargetRule.PERFORMANCE_ORDER, Map.of()).withHomeJobsFirst());
        beta.occupy(8);
        gamma.occupy(32);
        final JobKey next = beta.queue(16);
        look();
        world.say(new Plan(next, Issuer.BACKFILL, world.now.plus(Duration.ofHours(1)), 1, "reserved", List.of()));
        submit(job("A").hours(2));
        assertThat(world.plan(job("A")).vetoes())
                .extracting(Veto::code)
                .containsExactlyInAnyOrder(
                        VetoCode.NO_IDLE_CORES.code(), VetoCode.HOME_JOBS_FIRST.code(), VetoCode.NO_IDLE_CORES.code());

        submit(job("B").hours(1));
        assertThat(placeOf(job("B")))
                .as("it ends before the next job of beta starts")
                .isEqualTo(BETA);

        world.pass(Duration.ofMinutes(6));
        look();
        assertThat(placeOf(job("A"))).as("the queue of its source cluster").isEqualTo(ALPHA);
    }

    /** A transfer from alpha that took so long; the clusters are observed again afterwards. */
    private void transferred(final String id, final ClusterId to, final Duration time) {
        final Transfer transfer = new Transfer(
                TransferId.of(job("T").id().attempt(1) + "/" + id),
                job("T").id().attempt(1),
                ANNA,
                new Place(ALPHA, null, "/a"),
                new Place(to, null, "/b"),
                new TransferState.Copying(0),
                world.now,
                "signature");
        world.say(transfer);
        world.pass(time);
        world.say(transfer.withState(new TransferState.Verified("1 file"), world.now));
        look();
    }
}
