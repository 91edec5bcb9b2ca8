package io.millrace.agent.torque.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.torque.RecordedOutput;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EndedRunsTest {

    private static final String BASICS =
            "user=alice group=users account=p jobname=run queue=batch ctime=1795181732 qtime=1795181732"
                    + " etime=1795181732 start=1795181740 owner=alice@vm exec_host=vm/51-54 Resource_List.nodes=1:ppn=4"
                    + " Resource_List.walltime=00:30:00 ";
    private static final JobKey KEY =
            new JobKey(new JobId(RecordedOutput.SITE.cluster(), "326.vm"), Instant.ofEpochSecond(1795181732));

    private static List<Run> runs(final boolean gone, final String... lines) {
        final List<AccountingRecord> records = List.of(lines).stream()
                .map(line -> AccountingRecord.read("11/20/2026 13:3" + line, ZoneOffset.UTC))
                .flatMap(Optional::stream)
                .toList();
        return RunHistory.of(records).stream()
                .filter(life -> life.belongsTo(KEY.submittedAt()))
                .flatMap(life -> life.runs(KEY, gone, "accounting").stream())
                .toList();
    }

    private static String end(final int status, final String walltime) {
        return BASICS + "session=7 end=1795181760 Exit_status=" + status + " resources_used.walltime=" + walltime;
    }

    @Test
    void an_ended_run_has_its_times_and_its_exit_code() {
        assertThat(runs(
                        true,
                        "5:32;Q;326.vm;queue=batch",
                        "5:40;S;326.vm;" + BASICS,
                        "6:00;E;326.vm;" + end(3, "00:00:20")
                                + " resources_used.cput=00:00:12 resources_used.mem=4640kb resources_used.vmem=8104kb"))
                .containsExactly(new Run(
                        KEY,
                        1,
                        Instant.ofEpochSecond(1795181740),
                        Instant.ofEpochSecond(1795181760),
                        new RunOutcome.Exited(3),
                        "accounting",
                        new ResourceUsage(Duration.ofSeconds(12), 4640L << 10, null)));
    }

    @Test
    void a_deleted_job_is_cancelled_running_or_waiting() {
        assertThat(runs(
                        true,
                        "5:40;S;326.vm;" + BASICS,
                        "5:59;D;326.vm;requestor=alice@vm",
                        "6:00;E;326.vm;" + end(271, "00:00:20")))
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.Cancelled());
        assertThat(runs(true, "5:32;Q;326.vm;queue=batch", "6:00;D;326.vm;requestor=alice@vm"))
                .containsExactly(new Run(
                        KEY, 1, null, Instant.parse("2026-11-20T13:36:00Z"), new RunOutcome.Cancelled(), "accounting"));
        assertThat(runs(false, "5:40;S;326.vm;" + BASICS, "5:59;D;326.vm;requestor=alice@vm"))
                .as("it has not ended yet")
                .isEmpty();
    }

    @Test
    void requeued_runs_are_counted() {
        final List<Run> runs = runs(
                true,
                "5:40;S;326.vm;" + BASICS,
                "5:45;R;326.vm;",
                "5:50;S;326.vm;" + BASICS,
                "5:55;C;326.vm;Checkpointed and held",
                "5:56;T;326.vm;",
                "6:00;E;326.vm;" + end(0, "00:00:04"));

        assertThat(runs).extracting(Run::run).containsExactly(1, 2, 3);
        assertThat(runs)
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.Requeued(), new RunOutcome.Requeued(), new RunOutcome.Exited(0));
    }

    @Test
    void an_abort_of_a_running_job_is_a_node_failure() {
        assertThat(runs(true, "5:40;S;326.vm;" + BASICS, "6:00;A;326.vm;Job aborted"))
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.NodeFailed());
        assertThat(runs(true, "5:32;Q;326.vm;queue=batch", "6:00;A;326.vm;dependency"))
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.Cancelled());
    }

    @Test
    void a_reused_id_is_another_job() {
        final String old = BASICS.replace("ctime=1795181732", "ctime=1700000000");
        assertThat(runs(
                        true,
                        "0:00;S;326.vm;" + old,
                        "0:10;E;326.vm;" + old + "Exit_status=9",
                        "5:32;Q;326.vm;queue=batch",
                        "5:40;S;326.vm;" + BASICS,
                        "6:00;E;326.vm;" + end(0, "00:00:20")))
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.Exited(0));
    }

    @Test
    void an_exit_status_is_read_as_defined_by_torque() {
        final Map<String, String> intime =
                Map.of("resources_used.walltime", "00:01:00", "Resource_List.walltime", "00:30:00");
        final Map<String, String> overtime =
                Map.of("resources_used.walltime", "00:30:00", "Resource_List.walltime", "00:30:00");
        assertThat(RunOutcomes.of(139, false, intime::get)).isEqualTo(new RunOutcome.Exited(139));
        assertThat(RunOutcomes.of(267, false, intime::get)).isEqualTo(new RunOutcome.Signalled(11));
        assertThat(RunOutcomes.of(271, false, overtime::get)).isEqualTo(new RunOutcome.TimedOut());
        assertThat(RunOutcomes.of(271, false, intime::get)).isEqualTo(new RunOutcome.Signalled(15));
        assertThat(RunOutcomes.of(-11, false, overtime::get)).isEqualTo(new RunOutcome.TimedOut());
        assertThat(RunOutcomes.of(-10, false, intime::get)).isEqualTo(new RunOutcome.OutOfMemory());
        assertThat(RunOutcomes.of(-6, false, intime::get)).isEqualTo(new RunOutcome.NodeFailed());
        assertThat(RunOutcomes.of(-8, false, intime::get)).isInstanceOf(RunOutcome.Unknown.class);
        assertThat(RunOutcomes.of(0, true, intime::get)).isEqualTo(new RunOutcome.Cancelled());
    }

    @Test
    void a_users_text_cannot_imitate_a_value_of_the_server() {
        final AccountingRecord record = AccountingRecord.read(
                        "11/20/2026 13:36:00;E;326.vm;user=mallory group=users account=p user=alice Exit_status=0"
                                + " ctime=1 jobname=x queue=batch ctime=1795181732 start=1795181740 Exit_status=1",
                        ZoneOffset.UTC)
                .orElseThrow();

        assertThat(record.field("user")).isEqualTo("mallory");
        assertThat(record.exitStatus()).isEqualTo(1);
        assertThat(record.time("ctime")).isEqualTo(KEY.submittedAt());
    }

    @Test
    void record_times_are_in_the_servers_zone_and_incomplete_lines_are_ignored() {
        assertThat(AccountingRecord.read("07/01/2026 14:00:00;D;1.vm;requestor=a@vm", ZoneId.of("Europe/Berlin"))
                        .orElseThrow()
                        .at())
                .isEqualTo(Instant.parse("2026-07-01T12:00:00Z"));
        assertThat(AccountingRecord.read("07/01/2026 14:00:00;E;1", ZoneOffset.UTC))
                .isEmpty();
        assertThat(AccountingRecord.read("something else", ZoneOffset.UTC)).isEmpty();
    }

    @Test
    void tracejob_is_used_if_nothing_else_has_the_end() {
        final String output = """

            Job: 326.vm

            11/20/2026 13:35:32.101  S    enqueuing into batch, state 1 hop 1
            11/20/2026 13:35:32  A    queue=batch
            11/20/2026 13:35:40  S    Job Run at request of root@vm
            11/20/2026 13:35:59  S    Job deleted at request of alice@vm
            11/20/2026 13:36:00  S    Exit_status=271 resources_used.cput=00:00:00 resources_used.walltime=00:00:28
            11/20/2026 13:36:00  A    user=alice group=alice ctime=1795181732 start=1795181732 end=1795181760 Exit_status=271
            """;
        final List<AccountingRecord> records = new Tracejob(RecordedOutput.SITE, "326.vm", 2).parse(output);

        assertThat(new RunHistory(records).runs(KEY, true, "tracejob"))
                .singleElement()
                .satisfies(run -> {
                    assertThat(run.outcome()).isEqualTo(new RunOutcome.Cancelled());
                    assertThat(run.started()).isEqualTo(Instant.parse("2026-11-20T13:35:40Z"));
                    assertThat(run.ended()).isEqualTo(Instant.parse("2026-11-20T13:36:00Z"));
                });
    }
}
