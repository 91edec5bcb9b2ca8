package io.millrace.migration.domain.plan;

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
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.testing.Attack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetChoiceTest {

    private final World world = new World(Policies.fast(GAMMA, BETA));
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 16);
    private final ScriptedCluster gamma = world.cluster(GAMMA, 32);

    private ClusterId placeOf(final Samples sample) {
        final Attempt attempt = world.job(sample).attempt();
        assertThat(attempt).as("placement, but %s", world.state(sample)).isNotNull();
        return attempt.cluster();
    }

    private void submit(final Samples... samples) {
        for (final Samples sample : samples) {
            world.say(sample.submitted(world.now));
        }
        world.decide();
    }

    private void look() {
        world.clusters.values().stream().filter(cluster -> !cluster.silent).forEach(ScriptedCluster::observe);
        world.decide();
    }

    @Test
    void a_job_stays_on_its_source_cluster_if_that_can_run_it_now() {
        submit(job("A").cores(8));
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
    }

    @Test
    void otherwise_the_first_cluster_in_the_performance_order_with_idle_cores_runs_it() {
        alpha.occupy(6);
        look();
        submit(job("A").cores(4));
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        assertThat(world.job(job("A")).attempt().reason())
                .contains("gamma: 32 idle cores are enough for 4", "alpha: 2 cores idle at ", ", 4 cores requested");
    }

    private static PlacementOffered offer(
            final ClusterId cluster, final Samples job, final int victims, final long lost) {
        return new PlacementOffered(cluster, job.id(), victims, lost, "for the test");
    }

    private void allBusy() {
        alpha.occupy(8);
        beta.occupy(16);
        gamma.occupy(32);
        look();
    }

    /** */
    @Test
    void where_nothing_is_idle_a_job_goes_where_others_give_way_and_lose_least() {
        allBusy();
        submit(job("A").cores(4));
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);

        world.say(offer(ALPHA, job("A"), 1, 9000));
        world.say(offer(GAMMA, job("A"), 3, 1200));
        world.say(offer(BETA, job("A"), 2, 1200));
        world.decide();

        assertThat(placeOf(job("A"))).as("least work, then fewest victims").isEqualTo(BETA);
        assertThat(world.job(job("A")).attempt().reason()).contains("preemption costs least on beta");
    }

    @Test
    void a_withdrawn_offer_or_one_of_an_unsuitable_cluster_does_not_count() {
        allBusy();
        beta.silent = true;
        world.pass(Duration.ofMinutes(2));
        look();
        submit(job("A").cores(4));
        world.say(offer(BETA, job("A"), 1, 1));
        world.say(offer(GAMMA, job("A"), 1, 5));
        world.gone(GAMMA, offer(GAMMA, job("A"), 1, 5).key());
        world.decide();

        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
    }

    @Test
    void idle_cores_are_used_before_preemption() {
        alpha.occupy(8);
        look();
        world.say(offer(ALPHA, job("A"), 1, 0));
        submit(job("A").cores(4));

        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
    }

    @Test
    void cores_promised_to_a_job_on_its_way_are_not_promised_again() {
        world.transfers.paused = true;
        submit(job("A").cores(8), job("B").cores(30), job("C").cores(10), job("D").cores(8), job("E").cores(2));
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
        assertThat(placeOf(job("B"))).isEqualTo(GAMMA);
        assertThat(placeOf(job("C"))).isEqualTo(BETA);
        assertThat(world.state(job("D"))).isInstanceOf(Waiting.class);
        assertThat(placeOf(job("E"))).isEqualTo(GAMMA);
        look();
        assertThat(world.state(job("D"))).isInstanceOf(Waiting.class);
    }

    private void shows(final ScriptedCluster cluster, final int freeOnFirst, final int freeOnSecond) {
        int node = 1;
        for (final int free : new int[] {freeOnFirst, freeOnSecond}) {
            world.say(new NodeObserved(
                    cluster.id,
                    NodeName.of("n" + node++),
                    NodeObserved.Availability.UP,
                    new Resources(4, 1, 8000, 2),
                    new Resources(free, free == 4 ? 1 : 0, 2000 * free, free / 2),
                    null,
                    List.of(),
                    List.of()));
        }
        cluster.beside = new Resources(0, 0, 16000, 4);
        world.pass(Duration.ofSeconds(11));
        look();
    }

    @Test
    void memory_and_gpus_promised_to_a_job_are_not_promised_again() {
        world.transfers.paused = true;
        alpha.occupy(8);
        beta.occupy(16);
        gamma.beside = new Resources(0, 0, 10_000, 4);
        world.pass(Duration.ofSeconds(11));
        look();

        submit(
                job("A").needing(new Resources(1, 0, 6_000, 0)),
                job("B").needing(new Resources(1, 0, 6_000, 0)),
                job("C").needing(new Resources(1, 0, 1_000, 3)),
                job("D").needing(new Resources(1, 0, 1_000, 2)));

        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
        assertThat(world.plan(job("B")).vetoes())
                .extracting(Veto::reason)
                .anySatisfy(reason -> assertThat(reason)
                        .startsWith("gamma: ")
                        .contains(" MiB, 4 GPUs idle at ")
                        .endsWith(", 1 cores, 6000 MiB requested"));
        assertThat(placeOf(job("C"))).isEqualTo(GAMMA);
        assertThat(world.state(job("D"))).isInstanceOf(Waiting.class);
    }

    @Test
    void whole_nodes_promised_to_a_job_are_not_promised_again() {
        shows(alpha, 4, 4);
        submit(job("A").needing(new Resources(4, 1, 0, 0)).pinnedTo(ALPHA).hours(1));
        submit(job("B").needing(new Resources(8, 2, 0, 0)));
        assertThat(world.state(job("B")))
                .as("one node with four cores is left on alpha; gamma has 32")
                .isNotInstanceOf(Waiting.class);
        assertThat(placeOf(job("B"))).isEqualTo(GAMMA);
    }

    @Test
    void idle_cores_that_are_scattered_over_nodes_do_not_fit_a_job_that_requests_nodes() {
        gamma.takesGuests = false;
        beta.takesGuests = false;
        world.pass(Duration.ofSeconds(11));
        look();
        shows(alpha, 2, 2);
        submit(job("A").needing(new Resources(4, 1, 0, 0)));
        assertThat(world.plan(job("A")).vetoes()).extracting(Veto::code).contains(VetoCode.NO_SUITABLE_NODES.code());

        shows(alpha, 4, 0);
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
    }

    @Test
    void of_many_jobs_that_request_the_same_only_the_oldest_get_the_obstacle_on_each_cluster() {
        allBusy();
        final Samples[] jobs = "ABCDEFGHJKMN"
                .chars()
                .mapToObj(letter -> job(String.valueOf((char) letter)))
                .toArray(Samples[]::new);
        submit(jobs);
        assertThat(world.plan(jobs[9]).vetoes())
                .extracting(Veto::code)
                .containsOnly(VetoCode.NO_IDLE_CORES.code())
                .hasSize(3);
        assertThat(world.plan(jobs[10]).vetoes())
                .extracting(Veto::code)
                .containsExactly(VetoCode.BEHIND_OLDER_JOBS.code());

        final int said = world.log.size();
        beta.observe();
        world.decide();
        assertThat(world.log).as("nothing changed").hasSize(said);

        alpha.end(alpha.jobs().iterator().next().job(), new RunOutcome.Exited(0));
        look();
        assertThat(placeOf(jobs[0])).isEqualTo(ALPHA);
        assertThat(placeOf(jobs[1])).isEqualTo(ALPHA);
        assertThat(world.state(jobs[2])).isInstanceOf(Waiting.class);
        assertThat(world.plan(jobs[11]).vetoes()).as("now among the oldest").hasSize(3);
    }

    @Test
    void a_queued_global_job_holds_its_cores_until_it_runs_and_then_counts_once() {
        submit(job("A").cores(8));
        world.settle();
        assertThat(alpha.idle()).isZero();
        submit(job("B").cores(32));
        assertThat(placeOf(job("B"))).isEqualTo(GAMMA);
    }

    @Test
    void a_waiting_job_lists_the_obstacle_on_each_cluster() {
        alpha.occupy(8);
        beta.silent = true;
        gamma.takesGuests = false;
        world.pass(Duration.ofMinutes(2));
        gamma.occupy(1);
        look();
        submit(job("A"));
        assertThat(world.plan(job("A")).vetoes())
                .extracting(Veto::code)
                .containsExactly(
                        VetoCode.NO_IDLE_CORES.code(), VetoCode.NO_INCOMING_JOBS.code(), VetoCode.AGENT_SILENT.code());
        assertThat(((Waiting) world.state(job("A"))).reason())
                .isEqualTo("no cluster can run it now: alpha (no-idle-cores), gamma (no-incoming-jobs), beta"
                        + " (agent-silent)");
    }

    @Test
    void nothing_is_submitted_to_an_unavailable_cluster_with_idle_cores() {
        alpha.occupy(8);
        world.pass(Duration.ofMinutes(2));
        beta.silent = true;
        gamma.silent = true;
        alpha.observe();
        submit(job("A"));
        assertThat(world.plan(job("A")).vetoes())
                .extracting(Veto::code)
                .containsExactly(
                        VetoCode.NO_IDLE_CORES.code(), VetoCode.AGENT_SILENT.code(), VetoCode.AGENT_SILENT.code());
    }

    @Test
    void nothing_is_submitted_while_the_workload_manager_does_not_answer() {
        alpha.occupy(8);
        gamma.stale = true;
        gamma.occupy(1);
        look();
        submit(job("A"));
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
    }

    @Test
    @Attack("the login key of one cluster starts a job on another cluster")
    void a_cluster_that_does_not_accept_the_issuer_is_vetoed() {
        alpha.occupy(8);
        beta.occupy(1);
        gamma.occupy(1);
        world.say(SiteMappingObserved.none(BETA).accepting(Set.of(ALPHA)));
        look();
        world.say(vouchedForBy(ALPHA, job("A")));
        world.decide();
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
        assertThat(world.job(job("A")).attempt().reason())
                .contains("gamma: accepts no jobs of users who logged in on 'alpha'");

        world.say(vouchedForBy(ALPHA, job("B").pinnedTo(GAMMA)));
        world.decide();
        assertThat(world.state(job("B")))
                .isInstanceOfSatisfying(
                        Aborted.class,
                        aborted -> assertThat(aborted.toString()).contains("millrace.agent.accepted-issuers"));
    }

    private JobSubmitted vouchedForBy(final ClusterId issuer, final Samples sample) {
        final JobSubmitted job = sample.submitted(world.now);
        return new JobSubmitted(
                job.job(),
                1,
                job.owner(),
                job.spec(),
                job.source(),
                job.directory(),
                job.target(),
                job.submittedAt(),
                job.signature(),
                job.batch(),
                job.dependency(),
                job.request(),
                job.files(),
                issuer,
                null);
    }

    @Test
    void a_cluster_without_an_account_of_the_owner_is_vetoed() {
        alpha.occupy(8);
        beta.occupy(1);
        gamma.occupy(1);
        world.say(new SiteMappingObserved(
                GAMMA, true, Map.of(UserName.of("ben"), UserName.of("b1")), Map.of(), Map.of()));
        world.say(new SiteMappingObserved(BETA, true, Map.of(Samples.ANNA, UserName.of("a007")), Map.of(), Map.of()));
        look();
        submit(job("A"));
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
        assertThat(world.job(job("A")).attempt().reason())
                .contains("gamma: user 'anna' has no account on this cluster");

        submit(job("B").pinnedTo(GAMMA));
        assertThat(world.state(job("B")))
                .isInstanceOfSatisfying(
                        Aborted.class, aborted -> assertThat(aborted.toString()).contains("no account"));
    }

    @Test
    void a_pinned_job_goes_to_its_cluster_even_if_no_core_is_idle_there() {
        beta.occupy(16);
        look();
        submit(job("A").cores(16).pinnedTo(BETA));
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
    }

    @Test
    void a_pinned_job_waits_while_its_cluster_is_unavailable() {
        beta.silent = true;
        world.pass(Duration.ofMinutes(2));
        alpha.observe();
        gamma.observe();
        submit(job("A").pinnedTo(BETA));
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
        beta.silent = false;
        look();
        assertThat(placeOf(job("A"))).isEqualTo(BETA);
    }

    @Test
    void a_job_larger_than_every_cluster_is_aborted_with_the_name_of_the_largest() {
        submit(job("A").cores(33));
        assertThat(((Aborted) world.state(job("A"))).reason()).contains("largest, gamma, has 32 cores, 33 requested");
    }

    @Test
    void no_job_is_aborted_while_a_cluster_is_unavailable() {
        world.pass(Duration.ofMinutes(2));
        alpha.observe();
        gamma.observe();
        submit(job("A").cores(33));
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
    }

    @Test
    void a_cluster_of_the_performance_order_may_be_unknown_at_first() {
        final World small = new World(Policies.fast(GAMMA));
        small.cluster(ALPHA, 8);
        small.say(job("A").cores(30).submitted(small.now));
        small.decide();
        assertThat(small.state(job("A"))).isInstanceOf(Waiting.class);
        small.cluster(GAMMA, 32);
        small.decide();
        assertThat(small.job(job("A")).attempt().cluster()).isEqualTo(GAMMA);
    }

    @Test
    void a_partition_that_is_missing_or_too_short_is_a_reason() {
        submit(job("A").in("gpu"));
        assertThat(((Aborted) world.state(job("A"))).reason()).contains("partition 'gpu' not found");

        final World limited = new World(Policies.fast());
        final ScriptedCluster only = new ScriptedCluster(limited, ALPHA, 8);
        only.walltimeLimit = Duration.ofHours(1);
        limited.clusters.put(ALPHA, only);
        only.observe();
        limited.say(job("A").hours(2).submitted(limited.now));
        limited.decide();
        assertThat(((Aborted) limited.state(job("A"))).reason())
                .contains("requests PT2H, partition 'main' allows PT1H");
    }

    @Test
    void a_job_goes_to_no_partition_that_would_refuse_it() {
        final World site = new World(Policies.fast());
        for (final ClusterId id : List.of(ALPHA, BETA, GAMMA)) {
            final ScriptedCluster cluster = new ScriptedCluster(site, id, 8);
            site.clusters.put(id, cluster);
            if (id.equals(ALPHA)) {
                cluster.limits = new PartitionLimits(true, 0, null, 2, null);
            } else if (id.equals(GAMMA)) {
                cluster.access = new Access(
                        Set.of(UserName.of("somebody")), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), null, null);
            }
            cluster.observe();
        }
        site.say(job("A").cores(4).submitted(site.now));
        site.say(job("B").cores(6).submitted(site.now));
        site.decide();

        assertThat(site.job(job("A")).attempt().cluster()).isEqualTo(BETA);
        assertThat(site.plan(job("B")).vetoes())
                .extracting(Veto::code)
                .containsExactlyInAnyOrder(
                        VetoCode.EXCEEDS_PARTITION.code(),
                        VetoCode.ACCESS_DENIED.code(),
                        VetoCode.NO_IDLE_CORES.code());
    }

    @Test
    void after_a_while_without_idle_cores_it_waits_in_the_queue_of_its_own_cluster() {
        alpha.occupy(8);
        beta.occupy(16);
        gamma.occupy(32);
        look();
        submit(job("A"));
        world.pass(Duration.ofMinutes(4));
        look();
        assertThat(world.state(job("A"))).isInstanceOf(Waiting.class);
        world.pass(Duration.ofMinutes(1));
        look();
        assertThat(placeOf(job("A"))).isEqualTo(ALPHA);
    }

    @Test
    void otherwise_it_waits_in_the_queue_of_the_first_cluster_that_is_large_enough() {
        alpha.occupy(1);
        beta.occupy(16);
        gamma.occupy(32);
        look();
        submit(job("A").cores(20));
        world.pass(Duration.ofMinutes(6));
        look();
        assertThat(placeOf(job("A"))).isEqualTo(GAMMA);
    }
}
