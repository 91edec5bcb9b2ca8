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
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.policy.ClassPlacement;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.RunTimeRatio;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs are moved only where their class allows it; alpha, their source, is busy. */
class ClassRulesTest {

    private static final Samples JOB = job("A").cores(4);

    private final World world = new World(Policies.fast(GAMMA, BETA));
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 16);
    private final ScriptedCluster gamma = world.cluster(GAMMA, 32);

    @BeforeEach
    void sourceIsBusy() {
        alpha.occupy(8);
        alpha.observe();
        world.decide();
    }

    private static ClassPlacement medium(final ClusterId... clusters) {
        return new ClassPlacement("medium", List.of(clusters), 30 * 60L, 90 * 60L, 24 * 3600L);
    }

    private void table(final ClassPlacement rule, final RunTimeRatio... measured) {
        world.say(new PlacementTable(List.of(rule), List.of(measured)));
    }

    private void classified(final Samples sample, final String... classes) {
        world.say(new Classified(sample.id(), List.of(classes), List.of()));
    }

    private void submit(final Samples sample) {
        world.say(sample.submitted(world.now));
        world.decide();
    }

    private void assertPlaced(final Samples sample, final ClusterId cluster) {
        assertThat(world.job(sample).attempt()).isNotNull();
        assertThat(world.job(sample).attempt().cluster()).isEqualTo(cluster);
    }

    private void assertWaits(final Samples sample, final String... reasons) {
        assertThat(world.state(sample)).isInstanceOf(Waiting.class);
        final Plan plan =
                world.events(Plan.class, p -> p.job().equals(sample.id())).getLast();
        assertThat(plan.vetoes().stream().map(veto -> veto.code() + " " + veto.reason()))
                .contains(reasons);
    }

    @Test
    void a_job_is_moved_to_a_cluster_that_suits_its_class() {
        table(medium(BETA));
        classified(JOB, "medium", "large");
        submit(JOB);
        assertPlaced(JOB, BETA);
        assertThat(world.job(JOB).attempt().reason())
                .contains("gamma: does not suit class 'medium'; suitable clusters are beta");
    }

    @Test
    void a_job_waits_if_it_would_run_longer_than_its_class_on_every_other_cluster() {
        table(medium(), new RunTimeRatio(ALPHA, BETA, 200, 10), new RunTimeRatio(ALPHA, GAMMA, 40, 10));
        classified(JOB, "medium");
        submit(JOB);
        assertWaits(
                JOB,
                "run-time-outside-class beta: would run for 120 min there (60 min × 2.00); class 'medium' runs for at"
                        + " most 90 min",
                "run-time-outside-class gamma: would run for 24 min there (60 min × 0.40); class 'medium' runs for at"
                        + " least 30 min");
    }

    @Test
    void a_moved_job_of_a_large_class_never_runs_for_more_than_a_day() {
        final Samples day = job("A").hours(20);
        table(
                new ClassPlacement("large", List.of(), 60 * 60L, null, 24 * 3600L),
                new RunTimeRatio(ALPHA, BETA, 120, 10),
                new RunTimeRatio(ALPHA, GAMMA, 125, 10));
        classified(day, "large");
        submit(day);
        assertPlaced(day, BETA);
    }

    @Test
    void a_job_is_not_moved_before_its_class_is_known() {
        table(medium(BETA));
        submit(JOB);
        assertWaits(JOB, "not-classified beta: classifier-service has not classified the job yet");
        classified(JOB, "medium");
        world.decide();
        assertPlaced(JOB, BETA);
    }

    @Test
    void no_job_is_preempted_for_a_job_whose_class_may_allow_an_idle_cluster() {
        table(medium(BETA));
        submit(JOB);
        world.say(new PlacementOffered(ALPHA, JOB.id(), 1, 0, "for the test"));
        world.decide();
        assertWaits(JOB, "not-classified beta: classifier-service has not classified the job yet");
        classified(JOB, "medium");
        world.decide();
        assertPlaced(JOB, BETA);
    }

    @Test
    void a_job_that_is_not_classified_after_ten_seconds_is_placed_without_a_class() {
        table(medium(BETA));
        submit(JOB);
        world.pass(Duration.ofSeconds(10));
        world.clusters.values().forEach(ScriptedCluster::observe);
        world.decide();
        assertPlaced(JOB, GAMMA);
    }

    @Test
    void an_unclassified_job_and_a_class_without_a_rule_go_anywhere() {
        table(medium(BETA));
        classified(JOB);
        submit(JOB);
        assertPlaced(JOB, GAMMA);
        classified(job("B"), "small");
        submit(job("B"));
        assertPlaced(job("B"), GAMMA);
    }

    @Test
    void the_source_cluster_and_a_cluster_chosen_by_the_owner_need_not_suit_the_class() {
        table(medium(BETA));
        final Samples pinned = job("A").pinnedTo(GAMMA);
        classified(pinned, "medium");
        submit(pinned);
        assertPlaced(pinned, GAMMA);
        final Samples home = job("B").from(GAMMA);
        classified(home, "medium");
        submit(home);
        assertPlaced(home, GAMMA);
    }

    @Test
    void another_table_applies_to_jobs_that_wait() {
        table(medium(ALPHA));
        classified(JOB, "medium");
        submit(JOB);
        assertWaits(
                JOB, "cluster-unsuitable-for-class beta: does not suit class 'medium'; suitable clusters are alpha");
        table(medium(GAMMA));
        world.decide();
        assertPlaced(JOB, GAMMA);
    }
}
