package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ArrayTasks;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Ends on a real cluster with slurmdbd on MariaDB, by each source while the others are away. */
@Tag("slurm")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccountingLiveIT {

    private SlurmLab lab;
    private Slurm slurm;

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
    void an_end_is_the_same_from_jobcomp_from_slurmctld_and_from_slurmdbd() throws IOException {
        final JobKey job = finish("same", "exit 3");
        final Run noted = onlyRun(job, "jobcomp");

        Files.move(lab.site().completionLog(), lab.site().completionLog().resolveSibling("elsewhere"));
        try {
            final Run remembered = onlyRun(job, "squeue");
            final List<EndedRun> accounted = new java.util.ArrayList<>();
            await("slurmdbd's word", () -> {
                accounted.clear();
                accounted.addAll(SacctRuns.of(lab.runner()
                        .run(SacctQuery.of(lab.site(), List.of(job.id().local()), "abcdef"))
                        .get()));
                return !accounted.isEmpty();
            });
            final Run fromDatabase = accounted.get(0).run(lab.cluster(), "sacct");

            assertThat(List.of(noted, remembered, fromDatabase))
                    .extracting(Run::job, Run::run, Run::started, Run::ended, Run::outcome)
                    .containsOnly(org.assertj.core.groups.Tuple.tuple(
                            job, 1, noted.started(), noted.ended(), new RunOutcome.Exited(3)));
        } finally {
            Files.move(
                    lab.site().completionLog().resolveSibling("elsewhere"),
                    lab.site().completionLog());
        }
    }

    @Test
    void a_job_that_nobody_saw_is_told_by_each_source() throws IOException {
        final Instant before = Instant.now().minusSeconds(2);
        final JobKey job = finish("unseen |\n'x'", "exit 0");

        assertTold(job, slurm.endedSince(before).get(), "jobcomp");
        Files.move(lab.site().completionLog(), lab.site().completionLog().resolveSibling("elsewhere"));
        try {
            await(
                    "slurmdbd's word",
                    () -> slurm.endedSince(before).get().stream()
                            .anyMatch(ended -> ended.job().equals(job)));
            assertTold(job, slurm.endedSince(before).get(), "sacct");
        } finally {
            Files.move(
                    lab.site().completionLog().resolveSibling("elsewhere"),
                    lab.site().completionLog());
        }
    }

    private void assertTold(final JobKey job, final List<EndedJob> ended, final String source) {
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
    void without_slurmdbd_what_the_others_do_not_know_stays_open_and_is_trouble() {
        final JobKey never = new JobKey(new JobId(lab.cluster(), "4242"), Instant.EPOCH);
        lab.stop("alpha.slurmdbd");
        try {
            assertThat(slurm.ended(List.of(never))).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                assertThat(trouble.kind()).isEqualTo(Answer.Kind.DOWN);
                assertThat(trouble.because()).contains("slurmdbd");
            });
            final JobKey job = finish("while away", "exit 0");
            assertThat(slurm.ended(List.of(job, never)).get())
                    .extracting(Run::job)
                    .containsExactly(job);
        } finally {
            lab.start("alpha.slurmdbd");
        }
        await("slurmdbd back", () -> slurm.ended(List.of(never)) instanceof Answer.Ok);
        assertThat(slurm.ended(List.of(never)).get()).isEmpty();
    }

    @Test
    void an_array_whose_last_tasks_stand_alone_has_dissolved_and_one_that_was_cancelled_has_ended() {
        final JobKey array = submitted("array", "exit 0", "--array=3,5,7");
        slurm.start(array).get();
        final ArrayTasks rest = observed(array).detail().array();
        assertThat(rest == null ? null : rest.indices())
                .as("one task goes, the others wait")
                .isEqualTo("5,7");

        slurm.start(array).get();
        assertThat(slurm.observe().get().jobs())
                .as("the last one stands alone")
                .extracting(job -> job.job().id().local())
                .contains(array.id().local() + "_7")
                .doesNotContain(array.id().local());
        assertThat(slurm.ended(List.of(array)).get()).isEmpty();
        assertThat(slurm.dissolved(List.of(array)).get()).containsExactly(array);
        lab.asOwner("scancel", array.id().local()).get();

        final JobKey cancelled = submitted("cancelled", "exit 0", "--array=1-4");
        slurm.cancel(cancelled).get();
        await("its end", () -> !slurm.ended(List.of(cancelled)).get().isEmpty());
        assertThat(slurm.dissolved(List.of(cancelled)).get()).isEqualTo(Set.of());
    }

    @Test
    void while_slurmctld_restarts_there_is_no_picture_and_then_the_same_as_before() {
        final JobKey waiting = submitted("waits", "exit 0");
        // What slurmctld has not written down yet, a crash makes it forget.
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
        await("a picture", () -> slurm.observe() instanceof Answer.Ok);
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
        final List<Run> runs = slurm.ended(List.of(job)).get();
        assertThat(runs).singleElement().extracting(Run::source).isEqualTo(source);
        return runs.get(0);
    }

    private JobKey finish(final String name, final String script) {
        final JobKey job = submitted(name, script);
        slurm.start(job).get();
        await("the end of " + name, () -> !slurm.ended(List.of(job)).get().isEmpty());
        return job;
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
        final Instant patience = Instant.now().plusSeconds(120);
        while (!happened.getAsBoolean()) {
            assertThat(Instant.now()).as(what).isBefore(patience);
            try {
                Thread.sleep(100);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
