package io.millrace.agent.torque.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.torque.RecordedOutput;
import io.millrace.agent.torque.accounting.AccountingQuery;
import io.millrace.agent.torque.command.TorqueCommand;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TorqueErrorsTest {

    private static Answer.Trouble<?> refused(final String number) {
        return (Answer.Trouble<?>) new TorqueCommand(
                        RecordedOutput.SITE,
                        List.of(RecordedOutput.of(number).command().split("\\s")))
                .read(RecordedOutput.of(number).result());
    }

    @Test
    void every_recorded_error_is_classified() {
        final Map<String, Kind> kinds = Map.ofEntries(
                Map.entry("004", Kind.REJECTED),
                Map.entry("009", Kind.REJECTED),
                Map.entry("018", Kind.REJECTED),
                Map.entry("019", Kind.REJECTED),
                Map.entry("020", Kind.REJECTED),
                Map.entry("021", Kind.REJECTED),
                Map.entry("022", Kind.REJECTED),
                Map.entry("026", Kind.DENIED),
                Map.entry("046", Kind.NO_SUCH_JOB),
                Map.entry("108", Kind.DOWN),
                Map.entry("109", Kind.DOWN),
                Map.entry("110", Kind.DOWN),
                Map.entry("132", Kind.DENIED),
                Map.entry("141", Kind.DENIED),
                Map.entry("146", Kind.REJECTED),
                Map.entry("147", Kind.DENIED),
                Map.entry("150", Kind.WRONG_STATE),
                Map.entry("153", Kind.REJECTED),
                Map.entry("154", Kind.REJECTED),
                Map.entry("155", Kind.WRONG_STATE),
                Map.entry("160", Kind.WRONG_STATE),
                Map.entry("162", Kind.WRONG_STATE),
                Map.entry("163", Kind.WRONG_STATE),
                Map.entry("168", Kind.NO_SUCH_JOB),
                Map.entry("169", Kind.DENIED),
                Map.entry("170", Kind.WRONG_STATE),
                Map.entry("171", Kind.DENIED),
                Map.entry("178", Kind.DENIED));

        kinds.forEach((number, kind) -> assertThat(refused(number).kind())
                .as(RecordedOutput.of(number).file())
                .isEqualTo(kind));
    }

    @Test
    void a_command_without_output_is_accepted() {
        for (final String number :
                List.of("125", "127", "129", "130", "140", "142", "148", "156", "158", "164", "166", "172", "177")) {
            assertThat(new TorqueCommand(RecordedOutput.SITE, List.of("qhold", "-h", "u", "1.vm"))
                            .read(RecordedOutput.of(number).result()))
                    .as(RecordedOutput.of(number).file())
                    .isInstanceOf(Answer.Ok.class);
        }
    }

    @Test
    void a_denied_command_names_the_remedy() {
        assertThat(refused("147").reason()).contains("qmgr -c 'set server operators +=");
        assertThat(refused("178").reason()).contains("qmgr -c 'set server operators +=");
        assertThat(refused("018").reason()).contains("use an existing partition");
    }

    @Test
    void an_exit_code_has_different_meanings_in_different_versions() {
        assertThat(TorqueErrors.of("qsub", CommandResult.of(170, "", "qsub: Unknown queue\n"), Kind.UNREADABLE))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Kind.REJECTED));
        assertThat(TorqueErrors.of(
                        "qdel",
                        CommandResult.of(168, "", "qdel: Request invalid for state of job 3.srv\n"),
                        Kind.UNREADABLE))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Kind.WRONG_STATE));
    }

    @Test
    void a_command_with_an_error_message_and_exit_code_0_has_failed() {
        final TorqueCommand order = TorqueCommand.run(RecordedOutput.SITE, "n1:ppn=2", "3.vm");

        assertThat(order.read(CommandResult.of(0, "qrun: Resource temporarily unavailable 3.vm\n", "")))
                .isInstanceOf(Answer.Trouble.class);
        assertThat(order.argv()).containsExactly("qrun", "-H", "n1:ppn=2", "3.vm");
    }

    @Test
    void an_unknown_job_is_missing_and_the_others_are_returned() {
        final JobQuery three = new JobQuery(RecordedOutput.SITE, List.of("-f"), List.of("1.vm", "99999", "2.vm"));

        assertThat(three.read(RecordedOutput.of("047").result()).get())
                .extracting(TorqueJob::localId)
                .containsExactly("1.vm", "2.vm");
        assertThat(new JobQuery(RecordedOutput.SITE, List.of("-f"), List.of("99999"))
                        .read(RecordedOutput.of("046").result())
                        .get())
                .isEmpty();
    }

    @Test
    void an_unreachable_server_is_not_an_empty_queue() {
        assertThat(new JobQuery(RecordedOutput.SITE, List.of("-x", "-t"), List.of())
                        .read(RecordedOutput.of("108").result()))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Kind.DOWN);
                    assertThat(trouble.reason()).contains("pbs_server");
                });
        assertThat(new NodeQuery(RecordedOutput.SITE, false)
                        .read(RecordedOutput.of("110").result()))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Kind.DOWN));
    }

    @Test
    void an_unreadable_accounting_log_is_reported_with_the_remedy() {
        final AccountingQuery query = AccountingQuery.of(
                RecordedOutput.SITE,
                List.of("1.vm"),
                java.time.Instant.parse("2026-11-20T00:00:00Z"),
                java.time.Instant.parse("2026-11-20T12:00:00Z"));

        assertThat(query.argv())
                .endsWith(
                        "/var/spool/torque/server_priv/accounting/20261119",
                        "/var/spool/torque/server_priv/accounting/20261120",
                        "/var/spool/torque/server_priv/accounting/20261121");
        assertThat(query.read(CommandResult.of(2, "", "grep: /var/x/20261120: Permission denied\n")))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Kind.DENIED);
                    assertThat(trouble.reason()).contains("setfacl");
                });
        assertThat(query.read(CommandResult.of(2, "", "grep: /var/x/20261121: No such file or directory\n"))
                        .get())
                .isEmpty();
    }
}
