package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.slurm.EntryHolds;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.accounting.EndedRun;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.ControlFile;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.Scancel;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.format.RunOutcomes;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.AttemptId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Reads recorded output of Slurm 22.05.8. */
class QueryOutputTest {

    private final List<QueuedJob> queue = Transcripts.of("queue")
            .run(JobQuery.queue(Transcripts.SITE, Transcripts.NONCE))
            .get();
    private final Instant recordedAt = queue.stream()
            .map(QueuedJob::submitted)
            .max(Instant::compareTo)
            .orElseThrow()
            .plusSeconds(3);
    private final Map<String, JobObserved> jobs = queue.stream()
            .map(job -> JobObservation.of(Transcripts.SITE.cluster(), job, recordedAt))
            .collect(Collectors.toMap(job -> job.job().id().local(), Function.identity()));

    @Test
    void the_kind_of_hold_comes_from_the_mark_and_not_from_slurms_reason() {
        assertThat(queue)
                .filteredOn(job -> job.localId().matches("[123]"))
                .extracting(job -> job.cell("reason"))
                .containsOnly("JobHeldUser");

        assertThat(state("1")).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(state("2")).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(state("3")).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(state("11"))
                .as("released by its owner, still under the entry hold")
                .isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    @Test
    void only_a_tagged_job_belongs_to_an_attempt() {
        assertThat(jobs.get("3").attempt()).isEqualTo(AttemptId.of("01HZZZZZZZ0000000000000001.1"));
        assertThat(jobs.get("1").attempt()).isNull();
    }

    @Test
    void a_name_with_a_line_break_and_part_of_a_delimiter_is_one_cell() {
        assertThat(jobs.get("7").name()).isEqualTo("it's \"qu|oted\"; Größe\n2 #recorded x");
    }

    @Test
    void pending_tasks_of_an_array_are_one_job_with_the_arrays_id() {
        assertThat(state("4")).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(state("4_2")).isInstanceOf(JobState.Running.class);
        assertThat(jobs.get("4").job().submittedAt())
                .isEqualTo(jobs.get("4_2").job().submittedAt());
    }

    @Test
    void a_job_with_a_later_begin_time_or_a_dependency_is_not_eligible() {
        assertThat(jobs.get("5").eligibility()).isInstanceOfSatisfying(Eligibility.NotBefore.class, not -> {
            assertThat(not.obstacle()).isEqualTo(Obstacle.BEGIN_TIME);
            assertThat(not.until()).isNotNull();
        });
        assertThat(jobs.get("6").eligibility()).isEqualTo(Eligibility.not(Obstacle.DEPENDENCY));
        assertThat(jobs.get("2").eligibility()).isEqualTo(Eligibility.not(Obstacle.HOLD));
        assertThat(jobs.get("1").eligibility())
                .isEqualTo(Eligibility.since(jobs.get("1").job().submittedAt()));
    }

    @Test
    void a_requeued_job_keeps_its_key_although_slurm_changes_its_submit_time() {
        final QueuedJob requeued = row("10");
        assertThat(requeued.number("submittime"))
                .isGreaterThan(requeued.submitted().getEpochSecond());
        assertThat(jobs.get("10").restarts()).isEqualTo(1);
        assertThat(jobs.get("10").eligibility())
                .as("the delay of two minutes is Slurm's own")
                .isInstanceOf(Eligibility.EligibleSince.class);
    }

    @Test
    void a_run_does_not_begin_in_the_same_second_as_the_requeue() {
        final QueuedJob requeued = row("10");
        assertThat(requeued.earliestBegin()).isEqualTo(Instant.ofEpochSecond(requeued.number("submittime") + 3));
        assertThat(row("1").earliestBegin()).isEqualTo(row("1").submitted());

        assertThat(HoldUpdate.of(Transcripts.SITE, "10", "x").beginningAt(Instant.parse("2026-11-20T23:10:07Z")))
                .satisfies(update -> assertThat(update.argv()).contains("StartTime=2026-11-20T23:10:07"))
                .satisfies(update -> assertThat(update.environment()).containsEntry("TZ", "UTC"));
    }

    @Test
    void running_and_suspended_jobs_have_nodes_cores_and_limits() {
        final JobObserved running = jobs.get("8");
        assertThat(((JobState.Running) running.state()).nodes()).containsExactly(NodeName.of("n1"));
        // This cluster allocates cores but no memory, whatever the job requested.
        assertThat(running.resources()).isEqualTo(new Resources(2, 0, 0, 0));
        assertThat(running.walltime()).isEqualTo(Duration.ofHours(1));
        assertThat(((JobState.Suspended) state("9")).nodes()).containsExactly(NodeName.of("n1"), NodeName.of("n2"));
    }

    @Test
    void memory_that_the_job_did_not_request_is_zero() {
        assertThat(row("1").cell("tres-alloc")).contains("mem=");
        assertThat(jobs.get("1").resources()).isEqualTo(new Resources(1, 0, 0, 0));
    }

    @Test
    void only_pending_jobs_that_lack_the_entry_hold_are_held() {
        final List<ChangeCommand> commands = EntryHolds.missing(Transcripts.SITE, queue);

        assertThat(commands)
                .extracting(ChangeCommand::argv)
                .satisfiesExactlyInAnyOrder(
                        requeued -> assertThat(requeued)
                                .contains("JobId=10", "Priority=0")
                                .noneMatch(word -> word.startsWith("StartTime=")),
                        released -> assertThat(released)
                                .contains("JobId=11", "Priority=0")
                                .anyMatch(word -> word.startsWith("StartTime=")));
        assertThat(commands)
                .extracting(command -> ((HoldUpdate) command).adminComment())
                .allMatch(comment -> comment.startsWith("millrace:entry@"));
    }

    @Test
    void an_owners_hold_under_the_entry_hold_becomes_one_that_the_owner_may_release() {
        final QueuedJob held =
                with(with(row("1"), "eligibletime", Long.toString(QueuedJob.FAR_FUTURE)), "reason", "JobHeldAdmin");

        assertThat(JobStates.of(held)).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(EntryHolds.missing(Transcripts.SITE, List.of(held)))
                .extracting(ChangeCommand::argv)
                .satisfiesExactly(
                        first -> assertThat(first).containsExactly("scontrol", "uhold", "1"),
                        second -> assertThat(second)
                                .anyMatch(word -> word.startsWith("StartTime="))
                                .doesNotContain("Priority=0"));
    }

    @Test
    void an_unknown_state_is_not_an_end() {
        final QueuedJob strange = with(row("8"), "state", "TELEPORTING");

        assertThat(JobStates.isEnded(strange)).isFalse();
        assertThat(JobStates.of(strange)).isEqualTo(new JobState.Unknown("TELEPORTING"));
    }

    @Test
    void each_node_appears_once_with_its_drain_reason() {
        final List<NodeObserved> nodes = Transcripts.of("nodes")
                .run(new NodeQuery(Transcripts.SITE, Transcripts.NONCE))
                .get();

        assertThat(nodes).extracting(node -> node.node().value()).containsExactly("n1", "n2", "n3", "n4");
        assertThat(nodes.get(0).free().cores()).isEqualTo(1);
        assertThat(nodes.get(0).total().cores()).isEqualTo(4);
        assertThat(nodes.get(3).availability()).isEqualTo(Availability.DRAINED);
        assertThat(nodes.get(3).free()).isEqualTo(Resources.NONE);
        assertThat(nodes.get(3).reason()).isEqualTo("disk, swap | fan");
    }

    @Test
    void a_node_that_does_not_respond_is_down_in_every_state() {
        assertThat(NodeStates.availability("idle*")).isEqualTo(Availability.DOWN);
        assertThat(NodeStates.availability("idle~")).isEqualTo(Availability.UP);
        assertThat(NodeStates.availability("draining@")).isEqualTo(Availability.DRAINED);
        assertThat(NodeStates.availability("levitating")).isEqualTo(Availability.UNKNOWN);
    }

    @Test
    void partitions_have_their_cores_and_limits() {
        assertThat(Transcripts.of("partitions")
                        .run(new PartitionQuery(Transcripts.SITE))
                        .get())
                .containsExactly(new PartitionObserved(
                        Transcripts.SITE.cluster(),
                        PartitionName.of("main"),
                        true,
                        true,
                        16,
                        Duration.ofDays(7),
                        new io.millrace.model.cluster.PartitionLimits(true, 0, null, null, Duration.ofHours(1)),
                        io.millrace.model.cluster.Access.EVERYBODY));
    }

    @Test
    void a_state_names_the_cause_of_an_end() {
        assertThat(RunOutcomes.of("OUT_OF_MEMORY", 125)).isEqualTo(new RunOutcome.OutOfMemory());
        assertThat(RunOutcomes.of("PREEMPTED", 0)).isEqualTo(new RunOutcome.Preempted());
        assertThat(RunOutcomes.of("TIMEOUT", 15)).isEqualTo(new RunOutcome.TimedOut());
        assertThat(RunOutcomes.of("NODE_FAIL", 0)).isEqualTo(new RunOutcome.NodeFailed());
    }

    @Test
    void lines_of_the_completion_log_contain_the_outcome_and_the_start() {
        final List<Run> runs = Transcripts.text("ends")
                .lines()
                .filter(line -> line.startsWith("> "))
                .map(line -> EndedRun.read(line.substring(2)).run(Transcripts.SITE.cluster(), "jobcomp"))
                .toList();

        assertThat(runs)
                .extracting(Run::outcome)
                .containsExactlyInAnyOrder(
                        new RunOutcome.Requeued(),
                        new RunOutcome.Cancelled(),
                        new RunOutcome.Exited(7),
                        new RunOutcome.Signalled(11));
        assertThat(runs)
                .filteredOn(run -> run.outcome() instanceof RunOutcome.Cancelled)
                .allSatisfy(run -> assertThat(run.started()).isNull());
        assertThat(runs)
                .filteredOn(run -> run.outcome() instanceof RunOutcome.Requeued)
                .allSatisfy(run -> {
                    assertThat(run.job()).isEqualTo(jobs.get("10").job());
                    assertThat(run.run()).isEqualTo(1);
                });
    }

    @Test
    void ended_jobs_in_slurmctld_agree_with_the_completion_log() {
        final Map<JobKey, Run> logged = Transcripts.text("ends")
                .lines()
                .filter(line -> line.startsWith("> "))
                .map(line -> EndedRun.read(line.substring(2)))
                .filter(EndedRun::endsTheJob)
                .map(end -> end.run(Transcripts.SITE.cluster(), "x"))
                .collect(Collectors.toMap(Run::job, Function.identity()));
        final Map<JobKey, Run> remembered =
                Transcripts.of("all").run(JobQuery.all(Transcripts.SITE, Transcripts.NONCE)).get().stream()
                        .filter(JobStates::isEnded)
                        .map(job -> EndedRun.of(job).run(Transcripts.SITE.cluster(), "x"))
                        .collect(Collectors.toMap(Run::job, Function.identity()));

        assertThat(remembered).hasSize(3).isEqualTo(logged);
    }

    @Test
    void errors_are_distinguished() {
        final ReplayRunner recorded = Transcripts.of("troubles");

        assertTrouble(
                recorded.run(Scontrol.of(Transcripts.SITE, Scontrol.Verb.RELEASE, "99999")), Answer.Kind.NO_SUCH_JOB);
        assertTrouble(recorded.run(Scontrol.of(Transcripts.SITE, Scontrol.Verb.REQUEUE, "2")), Answer.Kind.WRONG_STATE);
        assertTrouble(recorded.run(Scontrol.of(Transcripts.SITE, Scontrol.Verb.SUSPEND, "2")), Answer.Kind.WRONG_STATE);
        assertTrouble(recorded.run(new Scancel(Transcripts.SITE, "99999", null)), Answer.Kind.NO_SUCH_JOB);
        assertThat(recorded.run(JobQuery.of(Transcripts.SITE, List.of("99999"), Transcripts.NONCE))
                        .get())
                .isEmpty();
    }

    @Test
    void an_unreachable_slurmctld_is_reported_as_down() {
        final ReplayRunner recorded = Transcripts.of("down");

        assertTrouble(recorded.run(JobQuery.queue(Transcripts.SITE, Transcripts.NONCE)), Answer.Kind.DOWN);
        assertTrouble(recorded.run(new NodeQuery(Transcripts.SITE, Transcripts.NONCE)), Answer.Kind.DOWN);
        assertTrouble(recorded.run(new Scancel(Transcripts.SITE, "1", null)), Answer.Kind.DOWN);
        assertTrouble(recorded.run(Scontrol.of(Transcripts.SITE, Scontrol.Verb.RELEASE, "1")), Answer.Kind.TIMEOUT);
    }

    @Test
    void a_truncated_table_is_unreadable() {
        final String output = Transcripts.text("queue")
                .lines()
                .filter(line -> line.startsWith("> "))
                .findFirst()
                .orElseThrow()
                .substring(2);
        final CommandResult cut = CommandResult.of(0, output.substring(0, output.length() / 2), "");

        assertTrouble(JobQuery.queue(Transcripts.SITE, Transcripts.NONCE).read(cut), Answer.Kind.UNREADABLE);
    }

    @Test
    void version_and_control_are_read() {
        assertThat(Transcripts.of("version")
                        .run(new VersionQuery(Transcripts.SITE))
                        .get())
                .isEqualTo("slurm 22.05.8");
        assertThat(Transcripts.of("control")
                        .run(new ControlFile.Read(Transcripts.SITE))
                        .get())
                .isEqualTo(io.millrace.model.cluster.Control.DIRECTED);
    }

    private JobState state(final String id) {
        return jobs.get(id).state();
    }

    private QueuedJob row(final String id) {
        return queue.stream()
                .filter(job -> job.localId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static QueuedJob with(final QueuedJob job, final String field, final String value) {
        final List<String> cells = new java.util.ArrayList<>(job.cells());
        cells.set(QueuedJob.FIELDS.indexOf(field), value);
        return new QueuedJob(cells);
    }

    private static void assertTrouble(final Answer<?> answer, final Answer.Kind kind) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble ->
                                assertThat(trouble.kind()).as(trouble.reason()).isEqualTo(kind));
    }

    @Test
    void a_key_consists_of_the_id_and_the_submit_time() {
        final QueuedJob job = row("1");
        assertThat(job.key(Transcripts.SITE.cluster()))
                .isEqualTo(new JobKey(new JobId(Transcripts.SITE.cluster(), "1"), job.submitted()));
    }
}
