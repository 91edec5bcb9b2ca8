package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.ANNA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.InFlightLimits;
import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.BatchId;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSubmitted;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchesAndChainsTest {

    private static final Samples FIRST = job("A").from(ALPHA);

    private World world = world(InFlightLimits.NONE);

    private static World world(final InFlightLimits limits) {
        final World world = new World(Policies.fast().withLimits(limits));
        world.cluster(ALPHA, 8);
        world.cluster(BETA, 16);
        return world;
    }

    @AfterEach
    void a_restart_repeats_nothing() {
        world.settle();
        final int before = world.log.size();
        world.restart();
        world.decide();
        assertThat(world.log).hasSize(before);
    }

    private void submit(final Samples... samples) {
        Stream.of(samples).forEach(sample -> world.say(sample.submitted(world.now)));
        world.settle();
    }

    private void end(final Samples sample, final int exitCode) {
        for (final ScriptedCluster cluster : world.clusters.values()) {
            cluster.jobs().stream()
                    .filter(seen ->
                            seen.attempt() != null && seen.attempt().job().equals(sample.id()))
                    .map(JobObserved::job)
                    .findFirst()
                    .ifPresent(key -> cluster.end(key, new RunOutcome.Exited(exitCode)));
        }
        world.settle();
        assertThat(world.state(sample)).isEqualTo(new End(new RunOutcome.Exited(exitCode)));
    }

    private List<Samples> running(final Samples... of) {
        final List<JobObserved> running = world.clusters.values().stream()
                .flatMap(cluster -> cluster.jobs().stream())
                .filter(seen -> seen.state() instanceof JobState.Running)
                .toList();
        return Stream.of(of)
                .filter(sample ->
                        running.stream().anyMatch(seen -> seen.attempt().job().equals(sample.id())))
                .toList();
    }

    private List<String> codes(final Samples sample) {
        return world.plan(sample).vetoes().stream().map(veto -> veto.code()).toList();
    }

    @Test
    void a_job_starts_on_another_cluster_after_the_job_it_depends_on_ended_well() {
        final Samples next = job("B").cores(12).from(BETA).after(FIRST.ends(JobDependency.End.OK));
        submit(FIRST, next);
        assertThat(running(FIRST, next)).containsExactly(FIRST);
        assertThat(world.state(next)).isEqualTo(new Waiting("it waits for afterok:" + FIRST.id()));
        assertThat(codes(next)).containsExactly("dependency");

        end(FIRST, 0);
        assertThat(running(next)).containsExactly(next);
        assertThat(world.job(next).attempt().cluster()).isEqualTo(BETA);
    }

    @Test
    void a_chain_ends_where_a_dependency_can_never_be_satisfied() {
        final Samples next = job("B").after(FIRST.ends(JobDependency.End.OK));
        final Samples afterNext = job("C").after(next.ends(JobDependency.End.OK));
        final Samples cleanup = job("D").after(next.ends(JobDependency.End.NOT_OK));
        final Samples always = job("E").after(FIRST.ends(JobDependency.End.ANY));
        submit(FIRST, next, afterNext, cleanup, always);

        end(FIRST, 3);
        assertThat(world.state(next))
                .isEqualTo(new Aborted("its dependency afterok:" + FIRST.id() + " can never be satisfied, because job "
                        + FIRST.id() + " did not end with exit code 0"));
        assertThat(world.state(afterNext)).isInstanceOf(Aborted.class);
        assertThat(running(cleanup, always)).containsExactly(cleanup, always);
    }

    @Test
    void one_of_several_alternatives_is_enough() {
        final Samples other = job("B");
        final Samples either = job("C").after(new JobDependency(
                false, List.of(FIRST.ends(JobDependency.End.OK), other.ends(JobDependency.End.OK))));
        submit(FIRST, other, either);
        end(FIRST, 1);
        assertThat(world.state(either)).isInstanceOf(Waiting.class);
        end(other, 0);
        assertThat(running(either)).containsExactly(either);
    }

    @Test
    void a_job_after_a_batch_waits_for_all_its_jobs() {
        final Samples one = FIRST.inBatch(2, null);
        final Samples two = job("B").inBatch(2, null);
        final BatchId batch = BatchId.around(one.id());
        final Samples other = job("Z");
        final Samples last = new Samples(
                        BatchId.of("01J1" + "0".repeat(22)).job(1),
                        other.resources(),
                        other.walltime(),
                        ALPHA,
                        null,
                        null,
                        false,
                        null,
                        null,
                        new CheckpointMethod.None())
                .after(JobDependency.Condition.on(batch, JobDependency.End.OK));
        submit(one, two, last);
        end(one, 0);
        assertThat(world.state(last)).isEqualTo(new Waiting("it waits for afterok:" + batch));
        end(two, 0);
        assertThat(running(last)).containsExactly(last);
    }

    @Test
    void an_array_runs_as_many_jobs_at_a_time_as_its_limit_allows() {
        final Samples[] tasks = Stream.of("A", "B", "C", "D", "E")
                .map(name -> job(name).cores(1).inBatch(5, 2))
                .toArray(Samples[]::new);
        submit(tasks);
        assertThat(running(tasks)).containsExactly(tasks[0], tasks[1]);
        assertThat(codes(tasks[2])).containsExactly("array-limit");

        world.say(tasks[2].hold(ANNA, world.now));
        end(tasks[1], 0);
        assertThat(running(tasks)).containsExactly(tasks[0], tasks[3]);
        world.say(tasks[2].release(world.now));
        end(tasks[0], 0);
        assertThat(running(tasks)).containsExactly(tasks[2], tasks[3]);
    }

    @Test
    void the_dependency_of_a_waiting_job_can_be_changed_and_removed_but_not_to_itself() {
        final Samples next = job("B").after(FIRST.ends(JobDependency.End.OK));
        final Samples third = job("C").after(next.ends(JobDependency.End.ANY));
        submit(FIRST, next, third);
        alter(next, third.ends(JobDependency.End.ANY));
        alter(next, next.ends(JobDependency.End.ANY));
        assertThat(world.job(next).submission().dependency()).isEqualTo(next.dependency());

        alter(third, FIRST.ends(JobDependency.End.OK));
        alter(next);
        assertThat(running(next, third)).containsExactly(next);
        assertThat(world.job(next).submission().dependency()).isNull();
        end(FIRST, 0);
        assertThat(running(next, third)).containsExactly(next, third);
    }

    private void alter(final Samples sample, final JobDependency.Condition... conditions) {
        world.say(new AlterRequested(
                sample.id(),
                ANNA,
                world.now,
                null,
                null,
                null,
                null,
                null,
                new JobDependency(true, List.of(conditions))));
        world.settle();
    }

    /** A job with a name that others have, too. */
    private void submitNamed(final String name, final Samples... samples) {
        for (final Samples sample : samples) {
            final JobSubmitted job = sample.submitted(world.now);
            world.say(job.withSpec(job.spec().altered(name, null)));
        }
        world.settle();
    }

    @Test
    void of_singletons_with_the_same_name_one_runs_at_a_time_in_the_order_of_submission() {
        final Samples second = job("B").after(JobDependency.Condition.singleton());
        final Samples third = job("C").after(JobDependency.Condition.singleton());
        final Samples other = job("D").after(JobDependency.Condition.singleton());
        submitNamed("nightly", FIRST, second, third);
        submitNamed("weekly", other);
        assertThat(running(FIRST, second, third, other)).containsExactly(FIRST, other);
        assertThat(world.state(second))
                .isEqualTo(new Waiting("it waits for other jobs of its name and owner (singleton)"));
        assertThat(codes(second)).containsExactly("dependency");

        end(FIRST, 1);
        assertThat(running(second, third)).containsExactly(second);
        end(second, 0);
        assertThat(running(third)).containsExactly(third);
    }

    @Test
    void a_singleton_waits_for_an_earlier_job_that_is_held_until_that_gets_another_name() {
        final Samples next = job("B").after(JobDependency.Condition.singleton());
        world.say(FIRST.submitted(world.now));
        world.say(FIRST.hold(ANNA, world.now));
        submitNamed("sample " + FIRST.id(), next);
        assertThat(running(FIRST, next)).isEmpty();

        alter(FIRST, next.ends(JobDependency.End.ANY));
        assertThat(world.job(FIRST).submission().dependency())
                .as("a dependency with which both would wait for ever")
                .isNull();

        world.say(new AlterRequested(FIRST.id(), ANNA, world.now, "other", null, null, null, null));
        world.settle();
        assertThat(running(next)).containsExactly(next);
    }

    @Test
    void a_job_starts_after_the_other_one_has_started() {
        final Samples next = job("B").after(FIRST.ends(JobDependency.End.STARTED));
        world.say(FIRST.submitted(world.now));
        world.say(FIRST.hold(ANNA, world.now));
        submit(next);
        assertThat(world.state(next)).isEqualTo(new Waiting("it waits for after:" + FIRST.id()));

        world.say(FIRST.release(world.now));
        world.settle();
        assertThat(running(FIRST, next)).containsExactly(FIRST, next);
    }

    @Test
    void a_job_starts_after_the_other_one_was_stopped_before_its_start() {
        final Samples next = job("B").after(FIRST.ends(JobDependency.End.STARTED));
        world.say(FIRST.submitted(world.now));
        world.say(FIRST.hold(ANNA, world.now));
        submit(next);
        world.say(FIRST.stop(world.now));
        world.settle();
        assertThat(running(next)).containsExactly(next);
    }

    @Test
    void a_job_that_depends_on_an_unknown_one_is_aborted() {
        final Samples next = job("B").after(FIRST.ends(JobDependency.End.ANY));
        submit(next);
        assertThat(world.state(next)).isInstanceOf(Aborted.class);
    }

    @Test
    void limits_of_users_clusters_and_links_keep_jobs_waiting_with_their_own_codes() {
        assertThat(limited(new InFlightLimits(1, null, null))).containsOnly("user-limit");
        assertThat(limited(new InFlightLimits(null, 1, null))).containsOnly("cluster-limit");
        assertThat(limited(new InFlightLimits(null, null, 1))).containsExactly("no-idle-cores", "link-limit");
    }

    /** Of jobs that all fit, the codes of the first that waits; it starts when another one ends. */
    private List<String> limited(final InFlightLimits limits) {
        world = world(limits);
        final Samples[] jobs = Stream.of("A", "B", "C", "D")
                .map(name -> job(name).cores(6).from(ALPHA))
                .toArray(Samples[]::new);
        submit(jobs);
        final Samples waiting = Stream.of(jobs)
                .filter(sample -> world.state(sample) instanceof Waiting)
                .findFirst()
                .orElseThrow();
        final List<String> codes = codes(waiting);
        end(running(jobs).getLast(), 0);
        assertThat(world.events(GlobalJob.class, job -> job.id().equals(waiting.id())))
                .anyMatch(job -> job.attempt() != null);
        return codes;
    }
}
