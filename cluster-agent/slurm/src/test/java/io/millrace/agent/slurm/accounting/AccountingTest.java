package io.millrace.agent.slurm.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.format.RunOutcomes;
import io.millrace.agent.slurm.query.JobQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.AttemptId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares what sacct, squeue and jobcomp.lua of one recorded cluster report about the same runs. */
class AccountingTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final List<SacctRow> rows = Transcripts.of("accounts")
            .run(SacctQuery.since(Transcripts.SITE, BEGIN, Transcripts.NONCE))
            .get();
    private final List<EndedRun> logged = Transcripts.text("lines")
            .lines()
            .filter(line -> line.startsWith("> "))
            .flatMap(line -> EndedRun.lines(line.substring(2)).stream())
            .distinct()
            .toList();
    private final Map<String, JobKey> keys = logged.stream()
            .map(end -> end.key(Transcripts.SITE.cluster()))
            .distinct()
            .collect(Collectors.toMap(key -> key.id().local(), key -> key));

    @Test
    void sacct_and_jobcomp_agree_on_outcomes_except_for_exit_codes_above_127() {
        final List<EndedRun> accounted = SacctRuns.of(rows);

        assertThat(accounted)
                .filteredOn(run -> run.exit() != 72 << 8)
                .extracting(run -> List.of(run.job(), run.submitted(), run.restarts(), run.ended(), outcome(run)))
                .isNotEmpty()
                .isSubsetOf(logged.stream()
                        .map(run -> List.of(run.job(), run.submitted(), run.restarts(), run.ended(), outcome(run)))
                        .toList());
        assertThat(accounted)
                .filteredOn(run -> run.exit() == 72 << 8)
                .singleElement()
                .satisfies(run -> assertThat(logged)
                        .filteredOn(other -> other.isSameRunAs(run))
                        .extracting(AccountingTest::outcome)
                        .containsExactly(new RunOutcome.Exited(200)));
    }

    @Test
    void a_name_with_separators_and_line_breaks_is_one_cell_of_sacct() {
        assertThat(rows)
                .extracting(row -> row.request().name())
                .as("slurmdbd itself turns double quotes into backquotes")
                .contains("na|me `q`\n#recorded Größe");
    }

    @Test
    void the_runs_of_a_requeued_job_are_reported_in_order_and_only_the_last_one_ends_it() {
        final JobKey requeued = key("put back");

        assertThat(accounted(requeued, "accounts"))
                .extracting(Run::run, Run::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1, new RunOutcome.Requeued()),
                        org.assertj.core.groups.Tuple.tuple(2, new RunOutcome.Cancelled()));
    }

    @Test
    void a_preempted_run_whose_job_is_pending_again_was_requeued_and_not_cancelled() {
        final JobKey preempted = key("makes room");

        assertThat(logged)
                .filteredOn(end -> end.job().equals(preempted.id().local()))
                .extracting(EndedRun::state)
                .containsExactly("PREEMPTED");
        assertThat(accounted(preempted, "accounts"))
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.Requeued());
        assertThat(new RecordedSources(logged, "ended").ended(preempted))
                .extracting(Run::outcome)
                .as("jobcomp and squeue together")
                .containsExactly(new RunOutcome.Requeued());
    }

    @Test
    void a_preempted_run_is_not_the_end_of_its_job_while_the_queue_is_unavailable() {
        final JobKey preempted = key("makes room");

        assertThat(new RecordedSources(logged, "down").answer(preempted)).isInstanceOf(Answer.Trouble.class);
    }

    @Test
    void a_job_that_was_cancelled_while_pending_has_no_start() {
        final JobKey array = key("never let go");

        assertThat(SacctRuns.of(rows))
                .filteredOn(run -> run.key(Transcripts.SITE.cluster()).equals(array))
                .singleElement()
                .satisfies(run -> assertThat(run.started()).isNull())
                .satisfies(run -> assertThat(outcome(run)).isEqualTo(new RunOutcome.Cancelled()));
    }

    @Test
    void ended_jobs_that_were_never_observed_are_reported_completely() {
        final EndedJob failed = new RecentlyEndedJobs(
                        Transcripts.SITE, new RecordedSources(logged, "ended"), () -> Transcripts.NONCE)
                .since(BEGIN).get().stream()
                        .filter(job -> job.name().startsWith("na|me"))
                        .findFirst()
                        .orElseThrow();

        assertThat(failed.name()).isEqualTo("na|me \"q\"\n#recorded Größe");
        assertThat(failed.attempt()).isEqualTo(AttemptId.of("01HZZZZZZZ0000000000000003.1"));
        assertThat(failed.owner()).isEqualTo(UserName.of("mr-alice"));
        assertThat(failed.project()).isEqualTo(ProjectName.of("lab"));
        assertThat(failed.resources()).isEqualTo(new Resources(1, 0, 100, 0));
        assertThat(failed.walltime()).isEqualTo(Duration.ofHours(1));
        assertThat(failed.runs()).extracting(Run::outcome).containsExactly(new RunOutcome.Exited(200));
    }

    @Test
    void components_of_a_heterogeneous_job_end_as_one_job() {
        final List<EndedJob> ended = new RecentlyEndedJobs(
                        Transcripts.SITE, new RecordedSources(logged, "ended"), () -> Transcripts.NONCE)
                .since(BEGIN)
                .get();

        assertThat(ended)
                .filteredOn(job -> job.name().equals("two parts"))
                .singleElement()
                .satisfies(job -> {
                    assertThat(job.resources().cores()).isEqualTo(3);
                    assertThat(job.runs()).hasSize(1);
                });
        assertThat(ended)
                .as("the job was requeued and is pending")
                .noneMatch(job -> job.name().equals("makes room"));
    }

    @Test
    void a_truncated_line_is_skipped_and_the_next_one_is_read() {
        final String whole = Transcripts.text("lines")
                .lines()
                .filter(line -> line.startsWith("> "))
                .findFirst()
                .orElseThrow()
                .substring(2);

        assertThat(EndedRun.lines(whole.substring(0, 90) + whole + "\n" + whole.substring(0, 50)))
                .containsExactly(EndedRun.read(whole));
        assertThat(EndedRun.lines(whole.substring(7) + "\n" + whole)).hasSize(1);
    }

    @Test
    void a_cluster_without_slurmdbd_is_distinguished_from_one_whose_slurmdbd_is_down() {
        assertKind("noaccounting", Answer.Kind.REJECTED);
        assertKind("noslurmdbd", Answer.Kind.DOWN);
        assertKind("nodatabase", Answer.Kind.DOWN);
    }

    private void assertKind(final String transcript, final Answer.Kind kind) {
        assertThat(Transcripts.of(transcript).run(SacctQuery.of(Transcripts.SITE, List.of("1"), Transcripts.NONCE)))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(kind));
    }

    private static RunOutcome outcome(final EndedRun run) {
        return RunOutcomes.of(run.state(), run.exit());
    }

    private JobKey key(final String name) {
        return logged.stream()
                .filter(end -> end.request() != null && end.request().name().equals(name))
                .map(end -> end.key(Transcripts.SITE.cluster()))
                .findFirst()
                .orElseThrow();
    }

    /** The runs according to sacct only. */
    private List<Run> accounted(final JobKey job, final String transcript) {
        final RunReconciliation reconciliation = new RunReconciliation(Transcripts.SITE.cluster(), List.of(job));
        reconciliation.addRuns(SacctRuns.of(allRows(transcript)), "sacct");
        return reconciliation.runs().get();
    }

    private static List<SacctRow> allRows(final String transcript) {
        final String output = Transcripts.text(transcript);
        final String first = output.substring(0, output.indexOf("\n$ "));
        return Transcripts.of(transcript)
                .run(new SacctQuery(
                        Transcripts.SITE,
                        List.of(first.substring(first.indexOf("--jobs=") + 7, first.indexOf('\n'))
                                .split(",")),
                        null,
                        Transcripts.NONCE))
                .get();
    }

    /** The lines of jobcomp.lua, the recorded squeue of one transcript, and no slurmdbd. */
    private record RecordedSources(List<EndedRun> lines, String squeue) implements Runner {

        List<Run> ended(final JobKey job) {
            return answer(job).get();
        }

        Answer<List<Run>> answer(final JobKey job) {
            return new RunLookup(Transcripts.SITE, this, () -> Transcripts.NONCE).of(List.of(job));
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> Answer<T> run(final CommandLine<T> command) {
            return (Answer<T>)
                    switch (command) {
                        case CompletionLogQuery query -> Answer.ok(lines);
                        case CompletionLogTail tail -> Answer.ok(new CompletionLogTail.Lines(lines, true));
                        case JobQuery query ->
                            squeue.equals("down")
                                    ? new ReplayRunner(Transcripts.text("down"))
                                            .run(JobQuery.queue(Transcripts.SITE, Transcripts.NONCE))
                                    : new ReplayRunner(Transcripts.text(squeue))
                                            .run(JobQuery.all(Transcripts.SITE, Transcripts.NONCE));
                        case SacctQuery query ->
                            query.read(CommandResult.of(1, "", "Slurm accounting storage is disabled\n"));
                        case UserNameQuery names ->
                            names.read(CommandResult.of(
                                    0, "mr-alice:x:" + names.uids().get(0) + ":1:::\n", ""));
                        default -> throw new IllegalStateException("unexpected: " + command.argv());
                    };
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    @Test
    void every_line_of_the_completion_log_has_the_key_of_its_job() {
        assertThat(logged).hasSizeGreaterThan(10).isSortedAccordingTo(Comparator.comparing(EndedRun::ended));
        assertThat(keys).containsKey("3").doesNotContainKey("4");
        assertThat(keys.get("3").id()).isEqualTo(new JobId(Transcripts.SITE.cluster(), "3"));
    }
}
