package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What every question makes of an answer that is none: never a picture with holes. */
class DamagedOutputTest {

    private static final String NONCE = Transcripts.NONCE;

    private record Question(String name, CommandLine<?> command, String output) {}

    private static List<Question> questions() {
        return List.of(
                new Question("jobs", JobQuery.queue(Transcripts.SITE, NONCE), output("varied", "squeue")),
                new Question("nodes", new NodeQuery(Transcripts.SITE, NONCE), output("varied", "sinfo")),
                new Question("partitions", new PartitionQuery(Transcripts.SITE), output("varied", "scontrol")),
                new Question(
                        "accounts", SacctQuery.of(Transcripts.SITE, List.of("1"), NONCE), output("accounts", "sacct")));
    }

    @TestFactory
    Stream<DynamicTest> a_whole_answer_is_read() {
        return each(
                (question) -> assertThat(read(question, 0, question.output, "")).isInstanceOf(Answer.Ok.class));
    }

    @TestFactory
    Stream<DynamicTest> an_answer_cut_anywhere_is_unreadable_and_not_a_part_of_the_picture() {
        return each(question -> {
            final List<Integer> rowEnds = new java.util.ArrayList<>();
            for (int at = question.output.indexOf('\n'); at >= 0; at = question.output.indexOf('\n', at + 1)) {
                rowEnds.add(at);
            }
            for (int cut = 1; cut < question.output.length() - 1; cut += 97) {
                // Cut exactly between two rows nobody can tell; that the exit code does.
                if (!rowEnds.contains(cut) && !rowEnds.contains(cut - 1)) {
                    assertKind(
                            read(question, 0, question.output.substring(0, cut), ""),
                            Answer.Kind.UNREADABLE,
                            question.name + " cut at " + cut);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> an_error_where_rows_should_stand_is_unreadable_although_the_command_was_content() {
        return each(question -> assertKind(
                read(question, 0, "slurm_load: Unable to contact slurm controller (connect failure)\n", ""),
                Answer.Kind.UNREADABLE,
                question.name));
    }

    @TestFactory
    Stream<DynamicTest> a_daemon_that_is_down_or_restarts_is_told_from_one_that_is_slow() {
        return each(question -> {
            assertKind(
                    read(question, 1, "", "x: error: Unable to contact slurm controller (connect failure)\n"),
                    Answer.Kind.DOWN,
                    question.name);
            assertKind(
                    read(question, 1, "", "x: error: Socket timed out on send/recv operation\n"),
                    Answer.Kind.TIMEOUT,
                    question.name);
            assertKind(
                    read(question, 1, "", "x: error: Zero Bytes were transmitted or received\n"),
                    Answer.Kind.TIMEOUT,
                    question.name);
        });
    }

    @TestFactory
    Stream<DynamicTest> what_failed_without_a_known_word_is_unreadable_and_repeats_what_was_said() {
        return each(question -> assertThat(read(question, 1, question.output, "the table is full\n"))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.UNREADABLE);
                    assertThat(trouble.because()).contains("the table is full");
                }));
    }

    private static Stream<DynamicTest> each(final java.util.function.Consumer<Question> check) {
        return questions().stream().map(one -> DynamicTest.dynamicTest(one.name, () -> check.accept(one)));
    }

    private static Answer<?> read(final Question question, final int exit, final String out, final String err) {
        return question.command.read(CommandResult.of(exit, out, err));
    }

    private static void assertKind(final Answer<?> answer, final Answer.Kind kind, final String what) {
        assertThat(answer)
                .as(what)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble ->
                                assertThat(trouble.kind()).as(trouble.because()).isEqualTo(kind));
    }

    /** What the first command of this program printed in a transcript. */
    private static String output(final String transcript, final String program) {
        final StringBuilder output = new StringBuilder();
        boolean here = false;
        for (final String line : Transcripts.text(transcript).split("\n")) {
            if (line.startsWith("$ ")) {
                if (here) {
                    break;
                }
                here = line.startsWith("$ " + program + " ");
            } else if (here && line.startsWith(">")) {
                output.append(line.length() > 1 ? line.substring(2) : "").append('\n');
            }
        }
        return output.toString();
    }
}
