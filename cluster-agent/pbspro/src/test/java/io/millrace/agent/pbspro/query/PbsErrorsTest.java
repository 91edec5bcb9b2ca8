package io.millrace.agent.pbspro.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbspro.RecordedOutput;
import io.millrace.agent.pbspro.command.PbsCommand;
import io.millrace.agent.pbspro.query.PbsQuery.Form;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.Transcript;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each recorded error is classified correctly, and a server failure is never taken for an empty cluster. */
class PbsErrorsTest {

    private static final Map<Kind, List<String>> MEANT = Map.of(
            Kind.NO_SUCH_JOB, List.of("091", "121", "158", "188", "199"),
            Kind.DENIED,
                    List.of(
                            "083", "084", "087", "093", "116", "122", "131", "135", "145", "150", "160", "166", "190",
                            "202", "211", "212", "213", "221", "222", "239", "257", "305"),
            Kind.WRONG_STATE,
                    List.of("092", "114", "115", "119", "120", "123", "127", "141", "165", "172", "180", "182"),
            Kind.DOES_NOT_FIT, List.of("151"),
            Kind.DOWN, List.of("330", "331", "332", "333", "334", "335"),
            Kind.REJECTED,
                    List.of(
                            "020", "022", "023", "129", "130", "143", "144", "148", "200", "201", "203", "204", "205",
                            "207", "209", "210", "259", "297", "299", "303", "304", "309", "325"));

    @Test
    void every_recorded_error_is_classified() {
        final Map<String, Kind> expected = new LinkedHashMap<>();
        MEANT.forEach((kind, numbers) -> numbers.forEach(number -> expected.put(number, kind)));
        expected.forEach((number, kind) -> {
            final Transcript recorded = RecordedOutput.of(number);
            final Kind read = recorded.program().equals("qmgr")
                    ? kindOf(new Qmgr.Set(RecordedOutput.SITE, "set …").read(recorded.result()))
                    : PbsErrors.kind(recorded.result().exit(), recorded.result().errorText(), Kind.REJECTED);
            assertThat(read).as(recorded.file()).isEqualTo(kind);
        });
    }

    /** As printed by OpenPBS 23.06.06 with hooks for queuejob, modifyjob and runjob. The text is the site's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | qrun: Failed to run: cannot connect to the licence server (15136) 2.pbs1",
                "2 | qrun: Failed to run: permission denied for project x, the request timed out (15136) 2.pbs1",
                "2 | qrun: Failed to run: unknown job id in the site's list (15136) 2.pbs1",
                "32 | qsub: job name 'forbid' is not allowed: unknown host",
                "32 | qalter: not enough free nodes for this walltime 2.pbs1"
            })
    void the_text_of_a_hook_says_nothing_about_the_server(final int exit, final String message) {
        assertThat(PbsErrors.kind(exit, message, Kind.REJECTED)).isEqualTo(Kind.REJECTED);
    }

    private static Kind kindOf(final Answer<?> answer) {
        return ((Answer.Trouble<?>) answer).kind();
    }

    @Test
    void a_denied_command_names_the_remedy() {
        final Answer<?> denied = PbsCommand.requeue(RecordedOutput.SITE, "1.vm")
                .read(RecordedOutput.of("116").result());
        assertThat(((Answer.Trouble<?>) denied).reason())
                .contains(
                        "qrerun 1.vm",
                        "exit code 159",
                        "Unauthorized Request",
                        "qmgr -c 'set server operators += root@*'");
    }

    @Test
    void every_recorded_json_output_is_read_completely() {
        final List<Transcript> questions = RecordedOutput.all().stream()
                .filter(one -> one.command().matches("qstat .*-F json.*|pbsnodes -a -F json"))
                .filter(one -> one.result().exit() == 0)
                .toList();
        assertThat(questions).hasSizeGreaterThan(60);
        for (final Transcript one : questions) {
            final PbsQuery.Kind kind = one.command().contains("-Qf")
                    ? PbsQuery.Kind.QUEUES
                    : one.command().contains("-Bf")
                            ? PbsQuery.Kind.SERVER
                            : one.program().equals("pbsnodes") ? PbsQuery.Kind.NODES : PbsQuery.Kind.JOBS;
            final Answer<QueryResult> answer =
                    new PbsQuery(RecordedOutput.SITE, kind, Form.JSON, false, List.of()).read(one.result());
            assertThat(answer).as(one.file()).isInstanceOfSatisfying(Answer.Ok.class, ok -> {
                final QueryResult listing = (QueryResult) ok.value();
                final long objects = one.result()
                        .outputText()
                        .lines()
                        .filter(line -> line.matches("\t\t\"[^\"]+\":\t\\{"))
                        .count();
                assertThat(listing.objects()).as(one.file()).hasSize((int) objects);
            });
        }
    }

    @Test
    void an_unreachable_server_is_not_an_empty_cluster() {
        final PbsQuery question = PbsQuery.all(RecordedOutput.SITE, PbsQuery.Kind.JOBS, Form.JSON);
        assertThat(question.read(RecordedOutput.of("337").result()).get().objects())
                .isEmpty();
        for (final String down : List.of("329", "233")) {
            assertThat(kindOf(question.read(RecordedOutput.of(down).result())))
                    .as(down)
                    .isEqualTo(Kind.DOWN);
        }
        final CommandResult asIfAllWereWell = new CommandResult(
                0,
                RecordedOutput.of("329").result().output(),
                RecordedOutput.of("329").result().error());
        assertThat(kindOf(question.read(asIfAllWereWell))).isEqualTo(Kind.DOWN);
    }

    @Test
    void incomplete_output_and_plain_messages_are_unreadable() {
        final PbsQuery question = PbsQuery.all(RecordedOutput.SITE, PbsQuery.Kind.JOBS, Form.JSON);
        final String whole = RecordedOutput.of("032").result().outputText();
        for (int end = 1; end < whole.length() - 2; end += 997) {
            assertThat(kindOf(question.read(CommandResult.of(0, whole.substring(0, end), ""))))
                    .as("cut after " + end)
                    .isEqualTo(Kind.UNREADABLE);
        }
        for (final String words : List.of("", "{}", "qstat: out of memory\n", "[]")) {
            assertThat(kindOf(question.read(CommandResult.of(0, words, ""))))
                    .as(words)
                    .isEqualTo(Kind.UNREADABLE);
        }
        assertThat(kindOf(PbsQuery.all(RecordedOutput.SITE, PbsQuery.Kind.JOBS, Form.TEXT)
                        .read(CommandResult.of(0, "the database is full\n", ""))))
                .isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void an_unknown_job_is_missing_from_the_result() {
        final PbsQuery one = PbsQuery.job(RecordedOutput.SITE, Form.JSON, "99999");
        assertThat(one.read(RecordedOutput.of("043").result()).get().objects()).isEmpty();
        assertThat(one.read(RecordedOutput.of("042").result()).get().remark()).contains("has finished");
        assertThat(one.read(RecordedOutput.of("046").result()).get().objects()).isEmpty();
    }
}
