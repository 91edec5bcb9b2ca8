package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.slurm.accounting.EndedRun;
import io.millrace.agent.slurm.accounting.SacctQuery;
import io.millrace.agent.slurm.accounting.SacctRuns;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ended runs of a real cluster with slurmdbd and MariaDB, from each source while the others are unavailable. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class AccountingLiveIT {

    private SlurmLab lab;
    private WorkloadManager slurm;

    @BeforeAll
    void open() {
        lab = SlurmLab.openWithAccounting();
        slurm = lab.wlm();
        lab.directory();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void jobcomp_slurmctld_and_slurmdbd_report_the_same_end() throws IOException {
        final JobKey job = finish("same", "exit 3");
        final Run logged = onlyRun(job, "jobcomp");

        Files.move(lab.site().completionLog(), lab.site().completionLog().resolveSibling("elsewhere"));
        try {
            // The job is in jobcomp.lua's log while slurmctld still shows it as completing.
            awaitEnd("same", job);
            final Run remembered = onlyRun(job, "squeue");
            final List<EndedRun> accounted = new java.util.ArrayList<>();
            await("the end in slurmdbd", () -> {
                accounted.clear();
                accounted.addAll(SacctRuns.of(lab.runner()
                        .run(SacctQuery.of(lab.site(), List.of(job.id().local()), "abcdef"))
                        .get()));
                return !accounted.isEmpty();
            });
            final Run fromDatabase = accounted.get(0).run(lab.cluster(), "sacct");

            assertThat(List.of(logged, remembered, fromDatabase))
                    .extracting(Run::job, Run::run, Run::started, Run::ended, Run::outcome)
                    .containsOnly(org.assertj.core.groups.Tuple.tuple(
                            job, 1, logged.started(), logged.ended(), new RunOutcome.Exited(3)));
        } finally {
            Files.move(
                    lab.site().completionLog().resolveSibling("elsewhere"),
                    lab.site().completionLog());
        }
    }

    @Test
    void an_end_comes_with_the_cpu_time_and_the_peak_memory_of_its_run() {
        final JobKey job = finish(
                "used",
                "x=$(head -c 60000000 /dev/zero | tr '\\0' x); i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done;"
                        + " sleep 6");

        // Another agent: this one asks slurmdbd again a minute after another test has stopped it.
        final WorkloadManager agent = Slurm.of(lab.site(), lab.runner(), Clock.systemUTC(), () -> "abcdef");
        await(
                "its figures",
                () -> !agent.get(Accounting.class).ended(List.of(job)).get().isEmpty());
        final List<Run> runs = agent.get(Accounting.class).ended(List.of(job)).get();
        assertThat(runs).singleElement().satisfies(run -> {
            assertThat(run.source()).isEqualTo("jobcomp");
            assertThat(run.used().cpuTime()).isGreaterThan(Duration.ofMillis(500));
            assertThat(run.used().peakMemoryBytes()).isBetween(60_000_000L, 200_000_000L);
        });
        assertThat(agent.get(Accounting.class).endedSince(job.submittedAt()).get())
                .filteredOn(ended -> ended.job().equals(job))
                .flatExtracting(EndedJob::runs)
                .containsExactlyElementsOf(runs);
    }

    @Test
    void each_source_reports_a_job_that_was_never_observed() throws IOException {
        final Instant before = Instant.now().minusSeconds(2);
        final JobKey job = finish("unseen |\n'x'", "exit 0");

        assertReported(job, slurm.get(Accounting.class).endedSince(before).get(), "jobcomp");
        Files.move(lab.site().completionLog(), lab.site().completionLog().resolveSibling("elsewhere"));
        try {
            await(
                    "the end in slurmdbd",
                    () -> slurm.get(Accounting.class).endedSince(before).get().stream()
                            .anyMatch(ended -> ended.job().equals(job)));
            assertReported(job, slurm.get(Accounting.class).endedSince(before).get(), "sacct");
        } finally {
            Files.move(
                    lab.site().completionLog().resolveSibling("elsewhere"),
                    lab.site().completionLog());
        }
    }

    private void assertReported(final JobKey job, final List<EndedJob> ended, final String source) {
        assertThat(ended)
                .filteredOn(one -> one.job().equals(job))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.name()).isEqualTo("unseen |\n'x'");
                    assertThat(one.owner()).isEqualTo(lab.owner());
                    assertThat(one.resources().cores()).isEqualTo(1);
                    assertThat(one.walltime()).isEqualTo(Duration.ofMinutes(7));
                    assertThat(one.runs())
                            .singleElement()
                            .extracting(Run::outcome, Run::source)
                            .containsExactly(new RunOutcome.Exited(0), source);
                });
    }

    @Test
    void a_job_that_only_slurmdbd_could_know_stays_unresolved_while_it_is_down() {
        final JobKey never = new JobKey(new JobId(lab.cluster(), "4242"), Instant.EPOCH);
        lab.stop("alpha.slurmdbd");
        try {
            assertThat(slurm.get(Accounting.class).ended(List.of(never)))
                    .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                        assertThat(trouble.kind()).isEqualTo(Answer.Kind.DOWN);
                        assertThat(trouble.reason()).contains("slurmdbd");
                    });
            final JobKey job = finish("while down", "exit 0");
            assertThat(slurm.get(Accounting.class).ended(List.of(job, never)).get())
                    .extracting(Run::job)
                    .containsExactly(job);
        } finally {
            lab.start("alpha.slurmdbd");
        }
        await("slurmdbd back", () -> slurm.get(Accounting.class).ended(List.of(never)) instanceof Answer.Ok);
        assertThat(slurm.get(Accounting.class).ended(List.of(never)).get()).isEmpty();
    }

    @Test
    void an_array_whose_last_tasks_are_separate_jobs_has_dissolved_and_a_cancelled_one_has_ended() {
        final JobKey array = submitted("array", "exit 0", "--array=3,5,7");
        slurm.get(Starting.class).start(array).get();
        await("one task starts, the others stay pending", () -> {
            final ArrayTasks rest = observed(array).detail().array();
            return rest != null && rest.indices().equals("5,7");
        });

        slurm.get(Starting.class).start(array).get();
        slurm.get(Starting.class).start(lab.lastTask(array, 7)).get();
        await("its start", () -> lab.observedIfThere(array.id().local()).isEmpty());
        assertThat(slurm.get(Accounting.class).ended(List.of(array)).get()).isEmpty();
        assertThat(slurm.get(Accounting.class).dissolved(List.of(array)).get()).containsExactly(array);
        lab.asOwner("scancel", array.id().local()).get();

        final JobKey cancelled = submitted("cancelled", "exit 0", "--array=1-4");
        slurm.cancel(cancelled).get();
        await(
                "its end",
                () -> !slurm.get(Accounting.class)
                        .ended(List.of(cancelled))
                        .get()
                        .isEmpty());
        assertThat(slurm.get(Accounting.class).dissolved(List.of(cancelled)).get())
                .isEqualTo(Set.of());
    }

    @Test
    void observations_fail_while_slurmctld_restarts_and_then_show_the_same_jobs() {
        final JobKey waiting = submitted("waits", "exit 0");
        // A crash of slurmctld loses state that it has not saved yet.
        await(
                "a saved state",
                () -> Files.exists(lab.dir().resolve("alpha/state/job_state"))
                        && modified(lab.dir().resolve("alpha/state/job_state"))
                                .isAfter(waiting.submittedAt().plusSeconds(1)));
        lab.stop("alpha.slurmctld");
        try {
            assertThat(slurm.observe())
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.DOWN));
        } finally {
            lab.start("alpha.slurmctld");
        }
        await("an observation", () -> slurm.observe() instanceof Answer.Ok);
        assertThat(observed(waiting).job()).isEqualTo(waiting);
        slurm.cancel(waiting).get();
    }

    // ---- helpers

    private static Instant modified(final Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Run onlyRun(final JobKey job, final String source) {
        final List<Run> runs = slurm.get(Accounting.class).ended(List.of(job)).get();
        assertThat(runs).singleElement().extracting(Run::source).isEqualTo(source);
        return runs.get(0);
    }

    private JobKey finish(final String name, final String script) {
        final JobKey job = submitted(name, script);
        slurm.get(Starting.class).start(job).get();
        awaitEnd(name, job);
        return job;
    }

    private void awaitEnd(final String name, final JobKey job) {
        await(
                "the end of " + name,
                () -> !slurm.get(Accounting.class).ended(List.of(job)).get().isEmpty());
    }

    private JobKey submitted(final String name, final String script, final String... options) {
        final List<String> argv = new java.util.ArrayList<>(List.of(
                "sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null", "--time=7", "--job-name=" + name));
        argv.addAll(List.of(options));
        argv.add("--wrap=" + script);
        final String id = lab.asOwner(argv.toArray(String[]::new)).get().strip();
        return slurm.observe().get().jobs().stream()
                .map(JobObserved::job)
                .filter(job -> job.id().local().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private JobObserved observed(final JobKey key) {
        final List<JobObserved> jobs = slurm.observe().get().jobs();
        final JobObserved seen = jobs.stream()
                .filter(job -> job.job().equals(key))
                .findFirst()
                .orElseThrow(() -> new AssertionError(key + " is not among " + jobs));
        assertThat(seen.state()).isNotInstanceOf(JobState.Unknown.class);
        return seen;
    }

    private static void await(final String what, final BooleanSupplier happened) {
        final Instant timeout = Instant.now().plusSeconds(300);
        while (!happened.getAsBoolean()) {
            assertThat(Instant.now()).as(what).isBefore(timeout);
            try {
                Thread.sleep(100);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
