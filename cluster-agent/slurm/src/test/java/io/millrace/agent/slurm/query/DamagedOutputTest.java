package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.observe.AdapterCall;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.accounting.SacctQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every query reports damaged output as unreadable and never returns part of the data. */
class DamagedOutputTest {

    private static final String NONCE = Transcripts.NONCE;
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private record Query(String name, CommandLine<?> command, String output) {}

    private static List<Query> querys() {
        return List.of(
                new Query("jobs", JobQuery.queue(Transcripts.SITE, NONCE), output("varied", "squeue")),
                new Query("nodes", new NodeQuery(Transcripts.SITE, NONCE), output("varied", "sinfo")),
                new Query("partitions", new PartitionQuery(Transcripts.SITE), output("varied", "scontrol")),
                new Query(
                        "accounts", SacctQuery.of(Transcripts.SITE, List.of("1"), NONCE), output("accounts", "sacct")));
    }

    @TestFactory
    Stream<DynamicTest> complete_output_is_read() {
        return each((query) -> assertThat(read(query, 0, query.output, "")).isInstanceOf(Answer.Ok.class));
    }

    @TestFactory
    Stream<DynamicTest> output_truncated_at_any_position_is_unreadable() {
        return each(query -> {
            final List<Integer> rowEnds = new java.util.ArrayList<>();
            for (int at = query.output.indexOf('\n'); at >= 0; at = query.output.indexOf('\n', at + 1)) {
                rowEnds.add(at);
            }
            for (int cut = 1; cut < query.output.length() - 1; cut += 97) {
                // A cut exactly between two rows is not detectable in the output; the exit code shows it.
                if (!rowEnds.contains(cut) && !rowEnds.contains(cut - 1)) {
                    assertKind(
                            read(query, 0, query.output.substring(0, cut), ""),
                            Answer.Kind.UNREADABLE,
                            query.name + " cut at " + cut);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> an_error_message_instead_of_rows_is_unreadable_even_with_exit_code_zero() {
        return each(query -> assertKind(
                read(query, 0, "slurm_load: Unable to contact slurm controller (connect failure)\n", ""),
                Answer.Kind.UNREADABLE,
                query.name));
    }

    @TestFactory
    Stream<DynamicTest> a_daemon_that_is_down_is_distinguished_from_a_slow_one() {
        return each(query -> {
            assertKind(
                    read(query, 1, "", "x: error: Unable to contact slurm controller (connect failure)\n"),
                    Answer.Kind.DOWN,
                    query.name);
            assertKind(
                    read(query, 1, "", "x: error: Socket timed out on send/recv operation\n"),
                    Answer.Kind.TIMEOUT,
                    query.name);
            assertKind(
                    read(query, 1, "", "x: error: Zero Bytes were transmitted or received\n"),
                    Answer.Kind.TIMEOUT,
                    query.name);
        });
    }

    @TestFactory
    Stream<DynamicTest> an_unknown_error_is_unreadable_and_its_message_is_repeated() {
        return each(query -> assertThat(read(query, 1, query.output, "the table is full\n"))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.UNREADABLE);
                    assertThat(trouble.reason()).contains("the table is full");
                }));
    }

    private static final List<String> PIECES =
            List.of("#recorded#", "[1-2]", "gpu:1,", "(", "|", "a=b ", "{\"job\":\"");

    private static CommandResult recorded(final List<String> argv) {
        final String what = String.join(" ", argv);
        return CommandResult.of(
                0,
                switch (argv.getFirst()) {
                    case "squeue" -> output(argv.contains("--states=all") ? "all" : "varied", "squeue");
                    case "sinfo" -> what.contains("--version") ? "slurm 22.05.8\n" : output("varied", "sinfo");
                    case "scontrol" ->
                        what.contains("partition")
                                ? output("varied", "scontrol")
                                : "ClusterName = alpha\n"
                                        + "PreemptType = preempt/qos\n"
                                        + "PreemptMode = REQUEUE\n"
                                        + "JobSubmitPlugins = lua\n"
                                        + "SLURM_VERSION = 22.05.8\n";
                    case "sacct" -> output("accounts", "sacct");
                    case "sacctmgr" -> "u_anna|requeue|public|cpu=4,gres/gpu=1|100|\nanna|Administrator|\n";
                    case "cat" -> output("control", "cat");
                    default -> output("ends", "grep");
                },
                "");
    }

    @Test
    void damaged_output_never_ends_the_agent() {
        final JobKey job = JobKey.of("alpha/1@2026-11-21T12:00:00Z");
        DamagedOutput.survives(DamagedOutputTest::recorded, PIECES, runner -> {
            final WorkloadManager slurm =
                    Slurm.of(Transcripts.SITE, runner, Clock.fixed(NOW, ZoneOffset.UTC), () -> NONCE);
            slurm.version();
            slurm.observe();
            AdapterCall.of("ended", () -> slurm.get(Accounting.class).ended(List.of(job)));
            AdapterCall.of("endedSince", () -> slurm.get(Accounting.class).endedSince(NOW));
            AdapterCall.of(
                    "find",
                    () -> slurm.get(AttemptFinding.class)
                            .find(GlobalJobId.of("01KJMZ3Q7Y8ZABCDEFGHJKMNPQ").attempt(1), UserName.of("anna")));
            AdapterCall.of(
                    "directory", () -> slurm.get(ApplicationCheckpointing.class).directory(job));
            AdapterCall.of("limits", () -> slurm.get(Limiting.class).limits());
            try {
                Offer.of(slurm);
            } catch (final IllegalStateException e) {
                assertThat(e).hasMessageContaining("UNREADABLE"); // the agent keeps its last offer
            }
        });
    }

    @Test
    void the_time_to_read_a_long_text_is_proportional_to_its_length() {
        DamagedOutput.survives("idle", "-", "x", NodeStates::availability);
        final UserSentence why = new UserSentence("held");
        DamagedOutput.survives("", " ", "x", text -> AdminCommentMark.explained(text, why));
        DamagedOutput.survives("", "[Millrace ", "", text -> AdminCommentMark.explained(text, why));
    }

    @Test
    void a_job_that_cannot_be_read_is_counted_and_hides_no_other_job() {
        final Observation whole = observed(UnaryOperator.identity());
        final Observation seen =
                observed(output -> output.replaceFirst("#recorded#n1#recorded#", "#recorded#n[1#recorded#"));

        assertThat(seen.unreadable()).hasSize(1);
        assertThat(seen.jobs()).hasSize(whole.jobs().size() - 1);
    }

    private static Observation observed(final UnaryOperator<String> change) {
        final Runner runner = new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                final CommandResult result = recorded(command.argv());
                return command.read(
                        command.argv().getFirst().equals("squeue")
                                ? CommandResult.of(0, change.apply(result.outputText()), "")
                                : result);
            }

            @Override
            public Runner as(final UserName owner) {
                return this;
            }
        };
        return Slurm.of(Transcripts.SITE, runner, Clock.fixed(NOW, ZoneOffset.UTC), () -> NONCE)
                .observe()
                .get();
    }

    private static Stream<DynamicTest> each(final java.util.function.Consumer<Query> check) {
        return querys().stream().map(one -> DynamicTest.dynamicTest(one.name, () -> check.accept(one)));
    }

    private static Answer<?> read(final Query query, final int exit, final String out, final String err) {
        return query.command.read(CommandResult.of(exit, out, err));
    }

    private static void assertKind(final Answer<?> answer, final Answer.Kind kind, final String what) {
        assertThat(answer)
                .as(what)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble ->
                                assertThat(trouble.kind()).as(trouble.reason()).isEqualTo(kind));
    }

    /** The output of the first command of this program in a transcript. */
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
