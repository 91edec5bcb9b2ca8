package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
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

/** Reads what sacct, squeue and jobcomp.lua of one real cluster say of the same ends. */
class AccountingTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final List<SacctRow> rows = Transcripts.of("accounts")
            .run(SacctQuery.since(Transcripts.SITE, BEGIN, Transcripts.NONCE))
            .get();
    private final List<EndedRun> noted = Transcripts.text("lines")
            .lines()
            .filter(line -> line.startsWith("> "))
            .flatMap(line -> EndedRun.lines(line.substring(2)).stream())
            .distinct()
            .toList();
    private final Map<String, JobKey> keys = noted.stream()
            .map(end -> end.key(Transcripts.SITE.cluster()))
            .distinct()
            .collect(Collectors.toMap(key -> key.id().local(), key -> key));

    @Test
    void sacct_and_jobcomp_agree_on_how_runs_ended_but_for_exit_codes_above_127() {
        final List<EndedRun> accounted = SacctRuns.of(rows);

        assertThat(accounted)
                .filteredOn(run -> run.exit() != 72 << 8)
                .extracting(run -> List.of(run.job(), run.submitted(), run.restarts(), run.ended(), outcome(run)))
                .isNotEmpty()
                .isSubsetOf(noted.stream()
                        .map(run -> List.of(run.job(), run.submitted(), run.restarts(), run.ended(), outcome(run)))
                        .toList());
        assertThat(accounted)
                .filteredOn(run -> run.exit() == 72 << 8)
                .singleElement()
                .satisfies(run -> assertThat(noted)
                        .filteredOn(other -> other.isSameRunAs(run))
                        .extracting(AccountingTest::outcome)
                        .containsExactly(new RunOutcome.Exited(200)));
    }

    @Test
    void a_name_with_separators_and_line_ends_stays_one_cell_of_sacct() {
        assertThat(rows)
                .extracting(row -> row.request().name())
                .as("slurmdbd itself turns double quotes into backquotes")
                .contains("na|me `q`\n#recorded Größe");
    }

    @Test
    void the_runs_of_a_requeued_job_are_told_in_order_and_only_the_last_one_ends_it() {
        final JobKey requeued = key("put back");

        assertThat(ask(requeued, "accounts"))
                .extracting(Run::run, Run::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1, new RunOutcome.Requeued()),
                        org.assertj.core.groups.Tuple.tuple(2, new RunOutcome.Cancelled()));
    }

    @Test
    void a_preempted_run_whose_job_waits_again_was_put_back_and_not_cancelled() {
        final JobKey preempted = key("makes room");

        assertThat(noted)
                .filteredOn(end -> end.job().equals(preempted.id().local()))
                .extracting(EndedRun::state)
                .containsExactly("PREEMPTED");
        assertThat(ask(preempted, "accounts")).extracting(Run::outcome).containsExactly(new RunOutcome.Requeued());
        assertThat(new Told(noted, "ended").ended(preempted))
                .extracting(Run::outcome)
                .as("jobcomp and squeue together")
                .containsExactly(new RunOutcome.Requeued());
    }

    @Test
    void without_a_word_of_the_queue_a_preempted_run_is_not_taken_for_the_end_of_its_job() {
        final JobKey preempted = key("makes room");

        assertThat(new Told(noted, "down").answer(preempted)).isInstanceOf(Answer.Trouble.class);
    }

    @Test
    void a_job_that_was_cancelled_before_it_ran_has_no_start() {
        final JobKey array = key("never let go");

        assertThat(SacctRuns.of(rows))
                .filteredOn(run -> run.key(Transcripts.SITE.cluster()).equals(array))
                .singleElement()
                .satisfies(run -> assertThat(run.started()).isNull())
                .satisfies(run -> assertThat(outcome(run)).isEqualTo(new RunOutcome.Cancelled()));
    }

    @Test
    void jobs_that_nobody_saw_are_told_with_all_that_their_end_needs() {
        final EndedJob failed = new RecentlyEndedJobs(
                        Transcripts.SITE, new Told(noted, "ended"), () -> Transcripts.NONCE)
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
                        Transcripts.SITE, new Told(noted, "ended"), () -> Transcripts.NONCE)
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
                .as("it was put back, and waits")
                .noneMatch(job -> job.name().equals("makes room"));
    }

    @Test
    void a_torn_line_is_left_out_and_the_next_one_is_read() {
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
    void a_cluster_without_slurmdbd_is_no_trouble_and_a_silent_one_is() {
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
        return noted.stream()
                .filter(end -> end.request() != null && end.request().name().equals(name))
                .map(end -> end.key(Transcripts.SITE.cluster()))
                .findFirst()
                .orElseThrow();
    }

    /** Only slurmdbd answers. */
    private List<Run> ask(final JobKey job, final String transcript) {
        final RunReconciliation inquiry = new RunReconciliation(Transcripts.SITE.cluster(), List.of(job));
        inquiry.addRuns(SacctRuns.of(allRows(transcript)), "sacct");
        return inquiry.runs().get();
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

    /** jobcomp's lines as they are, squeue as it was recorded in one of the transcripts, no slurmdbd. */
    private record Told(List<EndedRun> lines, String squeue) implements Runner {

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
    void every_noted_end_has_the_key_of_its_job() {
        assertThat(noted).hasSizeGreaterThan(10).isSortedAccordingTo(Comparator.comparing(EndedRun::ended));
        assertThat(keys).containsKey("3").doesNotContainKey("4");
        assertThat(keys.get("3").id()).isEqualTo(new JobId(Transcripts.SITE.cluster(), "3"));
    }
}
