package io.millrace.agent.pbspro.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbspro.RecordedOutput;
import io.millrace.agent.pbspro.accounting.AccountingLog;
import io.millrace.agent.pbspro.accounting.AccountingRecord;
import io.millrace.agent.pbspro.accounting.RunOutcomes;
import io.millrace.agent.pbspro.query.PbsQuery.Form;
import io.millrace.agent.pbspro.query.PbsQuery.Kind;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads output recorded from OpenPBS 23.06.06. */
class PbsQueriesTest {

    private static final Instant THEN = Instant.ofEpochSecond(1795178784);
    private final Map<String, JobObserved> queue = observedJobs("033", Form.JSON, Control.NATIVE);

    private static QueryResult listing(final String number, final Kind kind, final Form form) {
        return new PbsQuery(RecordedOutput.SITE, kind, form, false, List.of("1"))
                .read(RecordedOutput.of(number).result())
                .get();
    }

    private static List<PbsJob> jobs(final String number, final Form form) {
        return JobMapper.jobs(RecordedOutput.SITE, listing(number, Kind.JOBS, form));
    }

    private static PbsJob job(final String number) {
        return jobs(number, Form.JSON).get(0);
    }

    private static Map<String, JobObserved> observedJobs(final String number, final Form form, final Control control) {
        return jobs(number, form).stream()
                .filter(JobMapper::isShown)
                .map(job -> JobMapper.of(job, control, THEN))
                .collect(Collectors.toMap(job -> job.job().id().local(), Function.identity()));
    }

    private static JobState state(final String number) {
        return JobStates.of(job(number), Control.DIRECTED);
    }

    @Test
    void a_running_job_is_observed_with_its_cores_memory_nodes_and_times() {
        final JobObserved job = queue.get("4.vm");

        assertThat(job.job().submittedAt()).isEqualTo(Instant.ofEpochSecond(1795178740));
        assertThat(job.name()).isEqualTo("mpi_job");
        assertThat(job.owner()).isEqualTo(UserName.of("alice"));
        assertThat(job.project()).isEqualTo(ProjectName.of("projB"));
        assertThat(job.partition()).isEqualTo(PartitionName.of("workq"));
        assertThat(job.state())
                .isEqualTo(new JobState.Running(
                        Instant.ofEpochSecond(1795178740), List.of(NodeName.of("vm"), NodeName.of("vm2"))));
        assertThat(job.resources()).isEqualTo(new Resources(16, 2, 4096, 0));
        assertThat(job.walltime()).isEqualTo(Duration.ofHours(2));
        assertThat(job.priority()).isEqualTo(100);
        assertThat(job.restarts()).isZero();
        assertThat(job.detail().placement().coresPerNode()).isEqualTo(8);
        assertThat(queue.get("15.vm").project()).isEqualTo(ProjectName.of("gromacs"));
        assertThat(queue.get("2.vm").walltime()).as("unlimited").isNull();
        assertThat(queue.get("16.vm").detail().rerunnable()).isFalse();
    }

    @Test
    void waiting_subjobs_are_one_job_and_running_ones_are_separate() {
        assertThat(queue.get("6[].vm").state()).isEqualTo(new JobState.Queued());
        assertThat(queue.get("6[].vm").detail().array()).isEqualTo(new ArrayTasks("6[].vm", "1-4", 4, null));
        assertThat(queue.get("6[].vm").resources().cores()).as("of one subjob").isEqualTo(60);
        assertThat(queue).doesNotContainKey("6[1].vm");

        assertThat(queue.get("5[3].vm").detail().array()).isEqualTo(new ArrayTasks("5[].vm", "3", 1, null));
        assertThat(queue.get("5[3].vm").state()).isInstanceOf(JobState.Running.class);
        assertThat(queue.get("5[].vm").resources())
                .as("its subjobs hold the cores")
                .isEqualTo(Resources.NONE);
        assertThat(queue.get("5[].vm").state().isWaiting()).isFalse();
    }

    @Test
    void a_range_with_steps_and_gaps_is_counted() {
        assertThat(JobArrays.count("1-6:2")).isEqualTo(3);
        assertThat(JobArrays.count("2,5-7")).isEqualTo(4);
        assertThat(JobArrays.count("1-9999")).isEqualTo(9999);
        assertThat(JobArrays.count("-")).isZero();
    }

    @Test
    void under_directed_control_a_job_without_a_hold_is_held_for_entry() {
        final Map<String, JobObserved> directed = observedJobs("033", Form.JSON, Control.DIRECTED);

        assertThat(directed.get("9.vm").state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(directed.get("3.vm").state()).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(directed.get("3.vm").eligibility()).isEqualTo(Eligibility.not(Obstacle.HOLD));
        assertThat(directed.get("11.vm").eligibility())
                .as("later start time (-a)")
                .isEqualTo(Eligibility.from(Instant.parse("2026-12-31T23:59:00Z")));
        assertThat(directed.get("11.vm").reason()).contains("2026-12-31T23:59:00Z");
        assertThat(directed.get("9.vm").isStartable()).isTrue();
    }

    @Test
    void a_job_with_a_dependency_is_not_held_and_not_eligible() {
        final JobObserved job = JobMapper.of(job("073"), Control.DIRECTED, THEN);

        assertThat(job.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(job.eligibility()).isEqualTo(Eligibility.not(Obstacle.DEPENDENCY));
        assertThat(job.detail().dependencies()).containsExactly("afterok:1.vm");
        assertThat(queue.get("0.vm").detail().dependencies())
                .as("dependencies of other jobs on it")
                .isEmpty();
    }

    @Test
    void holds_are_distinguished_by_type_and_mark() {
        assertThat(state("075")).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(state("086")).as("set by root").isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(state("254")).as("checkpointed, held by its owner").isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(state("081")).as("a hold on a running job is only recorded").isInstanceOf(JobState.Running.class);

        assertThat(held("entry.1", 1, "root")).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(held("submission.0.01HZZZZZZZZZZZZZZZZZZZZZZZ.1", 0, "root"))
                .isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(held("free.1", 1, "root")).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(held("free.0", 1, "root"))
                .as("requeued by Millrace, not yet marked")
                .isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(held("entry.1", 1, "olga"))
                .as("an operator has held it since")
                .isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(held("entry.1", 1, "alice"))
                .as("its owner has set and released a hold")
                .isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    private static JobState held(final String mark, final int runs, final String by) {
        final PbsObject object = new PbsObject.Builder("7.vm")
                .add("Job_Owner", "alice@login.site.org")
                .add("job_state", "H")
                .add("Hold_Types", "o")
                .add("ctime", "Fri Nov 20 12:45:41 2026")
                .add("run_count", Integer.toString(runs))
                .add("comment", "Job held by " + by + " on Fri Nov 20 12:47:39 2026")
                .add("Resource_List.millrace", mark)
                .build();
        return JobStates.of(new PbsJob(RecordedOutput.SITE, object), Control.DIRECTED);
    }

    @Test
    void suspended_jobs_keep_their_start_time_and_restarts_are_counted() {
        assertThat(state("162")).isInstanceOf(JobState.Suspended.class);
        assertThat(job("118").restarts()).as("requeued once, running again").isEqualTo(1);
        assertThat(job("254").restarts())
                .as("checkpointed: the same run continues")
                .isZero();
    }

    @Test
    void an_unknown_state_letter_is_reported() {
        final PbsObject odd =
                new PbsObject.Builder("7.vm").add("job_state", "Z").build();
        assertThat(JobStates.of(new PbsJob(RecordedOutput.SITE, odd), Control.NATIVE))
                .isEqualTo(new JobState.Unknown("Z"));
    }

    @Test
    void the_full_format_equals_json() {
        final Map<String, JobObserved> text = observedJobs("030", Form.TEXT, Control.NATIVE);
        final Map<String, JobObserved> json = observedJobs("032", Form.JSON, Control.NATIVE);

        assertThat(text).hasSizeGreaterThan(10).containsExactlyInAnyOrderEntriesOf(json);
    }

    @Test
    void numbers_keep_the_text_that_was_printed() {
        final PbsJob job = job("342");
        assertThat(job.object().get("Account_Name")).isEqualTo("00123");
        assertThat(job.object().get("Variable_List.I")).isEqualTo("1.2345678901234567e+19");
        assertThat(job.object().has("Variable_List.B")).as("null").isFalse();
        assertThat(JobVariables.name(job.object())).isEqualTo("job-1.5_x");
    }

    /** PBS 20 and later prints what strtod(3) accepts as a number without quotes, including variables set by users. */
    @ParameterizedTest
    @ValueSource(strings = {"+5", ".5", "5.", "-.5e-3", "1e5", "NaN", "-Infinity", "12345678901234567890123"})
    void a_variable_that_looks_like_a_number_does_not_invalidate_the_observation(final String bare) throws IOException {
        final String text = """
            {"timestamp":1795178741, "pbs_version":"23.06.06", "pbs_server":"vm", "Jobs":{"7.vm":{
             "Job_Name":%1$s, "job_state":"Q", "Resource_List":{"ncpus":2},
             "Variable_List":{"A":%1$s,"B":"two\nlines\t","PBS_O_HOME":%1$s}}}}
            """.formatted(bare);
        final List<PbsObject> jobs = PbsJson.read(text.getBytes(StandardCharsets.UTF_8), "Jobs");
        assertThat(jobs).singleElement().satisfies(job -> {
            assertThat(job.get("Variable_List.A")).isEqualTo(bare.replaceFirst("^\\+", ""));
            assertThat(job.get("Resource_List.ncpus")).isEqualTo("2");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x1f", "nan(1)", "inf", "-nan"})
    void invalid_json_is_queried_again_in_the_full_format(final String bare) {
        final String json = "{\"pbs_server\":\"vm\", \"Jobs\":{\"7.vm\":{\"Variable_List\":{\"A\":" + bare + "}}}}\n";
        final Answer<QueryResult> read = PbsQuery.all(RecordedOutput.SITE, PbsQuery.Kind.JOBS, PbsQuery.Form.JSON)
                .read(CommandResult.of(0, json, ""));
        assertThat(read)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.reason()).contains("invalid JSON"));
    }

    @Test
    void nodes_are_observed_with_free_capacity_and_reasons() {
        final Map<String, NodeObserved> nodes = nodes("057");
        assertThat(nodes.get("vm").availability()).isEqualTo(Availability.UP);
        assertThat(nodes.get("vm").total()).isEqualTo(new Resources(64, 1, 128 * 1024, 0));
        assertThat(nodes.get("vm").free()).isEqualTo(new Resources(38, 0, 128 * 1024 - 3572, 0));
        assertThat(nodes.get("vm2").free().cores()).isEqualTo(24);

        final NodeObserved offline = nodes("237").get("vm");
        assertThat(offline.availability()).isEqualTo(Availability.DRAINED);
        assertThat(offline.free()).isEqualTo(Resources.NONE);
        assertThat(offline.reason()).isEqualTo("offline: maintenance by agent");
        assertThat(nodes("171").get("vm").availability()).isEqualTo(Availability.DRAINED);
        assertThat(NodeMapper.availability("down,offline")).isEqualTo(Availability.DOWN);
        assertThat(NodeMapper.availability("job-busy")).isEqualTo(Availability.UP);
        assertThat(NodeMapper.availability("strange")).isEqualTo(Availability.UNKNOWN);
    }

    @Test
    void the_full_format_of_nodes_equals_json() {
        final QueryResult text = listing("056", Kind.NODES, Form.TEXT);
        final NodeObserved node =
                NodeMapper.of(RecordedOutput.SITE.cluster(), text.objects().get(0), List.of(), List.of());
        assertThat(node.total()).isEqualTo(new Resources(64, 1, 128 * 1024, 0));
        assertThat(node.free().cores()).isEqualTo(38);
        assertThat(node.features()).containsExactly("arch=linux");
    }

    private static Map<String, NodeObserved> nodes(final String number) {
        return listing(number, Kind.NODES, Form.JSON).objects().stream()
                .map(node -> NodeMapper.of(RecordedOutput.SITE.cluster(), node, List.of(), List.of()))
                .collect(Collectors.toMap(node -> node.node().value(), Function.identity()));
    }

    @Test
    void queues_are_partitions_with_limits_and_access() {
        final Map<String, PartitionObserved> queues = new QueueMapper(
                        RecordedOutput.SITE.cluster(),
                        listing("049", Kind.QUEUES, Form.JSON).objects(),
                        listing("053", Kind.SERVER, Form.JSON).objects().get(0),
                        listing("057", Kind.NODES, Form.JSON).objects())
                .partitions().stream()
                        .collect(Collectors.toMap(q -> q.partition().value(), Function.identity()));

        assertThat(queues.get("workq").isDefault()).isTrue();
        assertThat(queues.get("workq").open()).isTrue();
        assertThat(queues.get("workq").cores()).isEqualTo(96);
        assertThat(queues.get("short").walltimeLimit()).isEqualTo(Duration.ofMinutes(30));
        assertThat(queues.get("short").limits().defaultWalltime()).isEqualTo(Duration.ofMinutes(10));
        assertThat(queues.get("night").open()).as("accepts, but starts nothing").isFalse();
        assertThat(queues.get("night").limits().accepts()).isTrue();
        assertThat(queues.get("closed").limits().accepts()).isFalse();
        assertThat(queues.get("admins").access().users()).containsExactly(UserName.of("root"));
        assertThat(queues).hasSize(7).doesNotContainKey("R54");
    }

    @Test
    void the_server_reports_who_starts_jobs() {
        assertThat(SchedulingControl.control(listing("053", Kind.SERVER, Form.JSON)))
                .isEqualTo(Answer.ok(Control.NATIVE));
        assertThat(SchedulingControl.control(listing("224", Kind.SERVER, Form.JSON)))
                .isEqualTo(Answer.ok(Control.DIRECTED));
        assertThat(SchedulingControl.control(listing("052", Kind.SERVER, Form.TEXT)))
                .isEqualTo(Answer.ok(Control.NATIVE));
    }

    @Test
    void preemption_settings_are_read_from_the_scheduler() {
        final SchedulerQuery scheduler = new SchedulerQuery(RecordedOutput.SITE);
        assertThat(scheduler
                        .read(RecordedOutput.of("064").result())
                        .get()
                        .missing()
                        .orElseThrow())
                .contains("preempt_prio", "server_softlimits", "qmgr -c");
        final SchedulerQuery.Preemption suspends =
                scheduler.read(RecordedOutput.of("279").result()).get();
        assertThat(suspends.prio()).contains("server_softlimits,queue_softlimits");
        assertThat(suspends.missing().orElseThrow()).contains("preempt_order", "SCR", "= R");
        final String prio = "express_queue, normal_jobs, server_softlimits";
        assertThat(new SchedulerQuery.Preemption(prio, "R", "/x", "true ALL").missing())
                .isEmpty();
        assertThat(new SchedulerQuery.Preemption(prio, "R", "/x", "false NONPRIME")
                        .missing()
                        .orElseThrow())
                .contains("preemptive_sched");
        assertThat(new SchedulerQuery.Preemption("", "", "/x", "")
                        .with(Map.of("preempt_prio", "\"" + prio + "\"", "preempt_order", "\"R\""))
                        .missing())
                .as("before version 19, only in sched_config")
                .isEmpty();
    }

    @Test
    void the_job_history_reports_how_a_run_ended() {
        assertThat(end("040").outcome()).isEqualTo(new RunOutcome.Exited(0));
        assertThat(end("041").outcome()).isEqualTo(new RunOutcome.Exited(3));
        assertThat(end("124").outcome()).isEqualTo(new RunOutcome.Signalled(10));
        assertThat(end("176").outcome()).as("qsig TERM").isEqualTo(new RunOutcome.Signalled(15));
        assertThat(end("194").outcome()).as("qdel").isEqualTo(new RunOutcome.Cancelled());
        assertThat(end("184").outcome()).isEqualTo(new RunOutcome.Cancelled());
        assertThat(end("184").started()).as("it never ran").isNull();
        assertThat(end("071").outcome()).as("dependency can never be fulfilled").isEqualTo(new RunOutcome.Cancelled());
        assertThat(end("124").ended()).isEqualTo(Instant.ofEpochSecond(1795178860));
        assertThat(RunOutcomes.last(job("118"))).as("still running").isEmpty();
    }

    @Test
    void an_array_itself_never_runs() {
        final PbsObject finished = new PbsObject.Builder("50[].srv")
                .add("job_state", "F")
                .add("ctime", "1772355600")
                .add("stime", "1772355660")
                .add("mtime", "1772359211")
                .add("Exit_status", "1")
                .build();
        final Run listed =
                RunOutcomes.last(new PbsJob(RecordedOutput.SITE, finished)).orElseThrow();
        assertThat(listed.started()).isNull();
        assertThat(listed.outcome()).isEqualTo(new RunOutcome.Exited(1));
        final AccountingRecord record = AccountingRecord.read(
                        RecordedOutput.SITE,
                        "03/01/2026 10:00:11;E;50[].srv;user=anna ctime=1772355600 start=1772355660 end=1772359211"
                                + " Exit_status=1 run_count=0")
                .orElseThrow();
        assertThat(record.run(listed.job(), false).started()).isNull();
    }

    private static Run end(final String number) {
        return RunOutcomes.last(job(number)).orElseThrow();
    }

    @Test
    void the_accounting_log_also_has_requeued_runs() {
        final List<AccountingRecord> records = AccountingLog.records(
                RecordedOutput.SITE, RecordedOutput.of("340").result().outputText());
        final AccountingRecord back = records.stream()
                .filter(record -> record.type() == 'R')
                .findFirst()
                .orElseThrow();
        final Run run = back.run(back.key(RecordedOutput.SITE), false);
        assertThat(run.job().toString()).isEqualTo("vm/1.vm@2026-11-20T12:45:40Z");
        assertThat(run.outcome()).isEqualTo(new RunOutcome.Requeued());
        assertThat(run.run()).isEqualTo(1);
        assertThat(run.started()).isEqualTo(Instant.ofEpochSecond(1795178740));
        assertThat(run.ended()).isEqualTo(Instant.ofEpochSecond(1795178867));
        assertThat(run.used()).isEqualTo(new ResourceUsage(Duration.ZERO, 4404L << 10, null));
        assertThat(records).filteredOn(record -> record.type() == 'E').hasSize(6);
    }

    @Test
    void a_users_text_cannot_imitate_a_value_of_pbs() {
        final AccountingRecord record = AccountingRecord.read(
                        RecordedOutput.SITE,
                        "11/20/2026 12:47:47;E;1.vm;user=alice account=\"x Exit_status=0 end=5\" jobname=a"
                                + " ctime=1795178740 start=1795178741 end=1795178867 Exit_status=3 run_count=1")
                .orElseThrow();
        assertThat(record.run(record.key(RecordedOutput.SITE), false).outcome()).isEqualTo(new RunOutcome.Exited(3));
        assertThat(AccountingRecord.read(RecordedOutput.SITE, "11/20/2026 12:4"))
                .isEmpty();
    }

    @Test
    void tracejob_is_used_if_nothing_else_has_the_end() {
        final List<AccountingRecord> traced = new AccountingLog.Trace(RecordedOutput.SITE, "12.vm", 1)
                .read(RecordedOutput.of("069").result())
                .get();
        assertThat(traced)
                .filteredOn(AccountingRecord::endsARun)
                .singleElement()
                .satisfies(record -> assertThat(record.run(record.key(RecordedOutput.SITE), false)
                                .outcome())
                        .isEqualTo(new RunOutcome.Exited(0)));
    }
}
