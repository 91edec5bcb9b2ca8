package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.observe.AdapterCall;
import io.millrace.agent.pbspro.command.ResizedSelect;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Damaged output of PBS is read or is trouble, and no job is lost silently. */
class DamagedOutputTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:50:00Z");
    private static final List<String> PIECES = List.of(
            "{\"a\":", "\"a\":1,", "\n    a = b", "a=", "a=\"", ":ncpus=1", "(a:", "\n11/20/2026 12:45:41;E;1;a=b");

    private static WorkloadManager pbs(final Runner runner) {
        return PbsPro.of(RecordedOutput.SITE, runner, Clock.fixed(NOW, ZoneOffset.UTC), () -> "nonce");
    }

    private static CommandResult recorded(final List<String> argv) {
        final boolean json = argv.contains("json");
        final String number = switch (argv.getFirst()) {
            case "qstat" -> {
                if (argv.contains("-B")) {
                    yield json ? "053" : "052";
                }
                if (argv.contains("-Q")) {
                    yield json ? "049" : "048";
                }
                yield argv.contains("-x") ? (json ? "034" : "040") : (json ? "033" : "030");
            }
            case "pbsnodes" -> json ? "057" : "056";
            case "qmgr" -> argv.toString().contains("sched") ? "064" : "063";
            case "tracejob" -> "069";
            default -> "340";
        };
        return RecordedOutput.of(number).result();
    }

    private static List<JobKey> keys() {
        return pbs(ANSWERING).observe().get().jobs().stream()
                .map(JobObserved::job)
                .toList();
    }

    private static final Runner ANSWERING = new Runner() {
        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            return command.read(recorded(command.argv()));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    };

    private static void readEverything(final Runner runner, final List<JobKey> jobs) {
        final WorkloadManager pbs = pbs(runner);
        pbs.observe();
        AdapterCall.of("ended", () -> pbs.get(Accounting.class).ended(jobs));
        AdapterCall.of("endedSince", () -> pbs.get(Accounting.class).endedSince(NOW.minusSeconds(86_400)));
        AdapterCall.of(
                "find",
                () -> pbs.get(AttemptFinding.class)
                        .find(GlobalJobId.of("01KJMZ3Q7Y8ZABCDEFGHJKMNPQ").attempt(1), UserName.of("alice")));
        AdapterCall.of(
                "directory", () -> pbs.get(ApplicationCheckpointing.class).directory(jobs.getFirst()));
        AdapterCall.of("limits", () -> pbs.get(Limiting.class).limits());
        try {
            Offer.of(pbs);
        } catch (final IllegalStateException e) {
            assertThat(e).hasMessageContaining("UNREADABLE"); // the agent keeps its last offer
        }
    }

    @Test
    void damaged_output_never_ends_the_agent() {
        final List<JobKey> jobs = keys();
        assertThat(jobs).isNotEmpty();
        // Damaged JSON is followed by a query in plain text.
        DamagedOutput.survives(DamagedOutputTest::recorded, PIECES, runner -> readEverything(runner, jobs));
    }

    @Test
    void a_chunk_of_any_length_is_resized() {
        DamagedOutput.survives(
                "1:ncpus=4",
                ":a=b",
                "",
                select -> assertThat(ResizedSelect.of(select, 8)).isEqualTo(Answer.ok(select.replaceFirst("4", "8"))));
    }

    @Test
    void a_job_that_cannot_be_read_is_counted_and_hides_no_other_job() {
        final Observation whole = pbs(ANSWERING).observe().get();
        final String id = whole.jobs().getFirst().job().id().local();
        final Observation seen = pbs(new Runner() {
                    @Override
                    public <T> Answer<T> run(final CommandLine<T> command) {
                        final CommandResult result = recorded(command.argv());
                        final String text = result.outputText();
                        final int job = text.indexOf("\"" + id + "\"");
                        final int time = text.indexOf("\"ctime\":", job);
                        return command.read(
                                job < 0 || !command.argv().contains("-t")
                                        ? result
                                        : CommandResult.of(
                                                0, text.substring(0, time) + "\"x" + text.substring(time + 1), ""));
                    }

                    @Override
                    public Runner as(final UserName owner) {
                        return this;
                    }
                })
                .observe()
                .get();

        assertThat(seen.unreadable()).containsExactly(id);
        assertThat(seen.jobs()).hasSize(whole.jobs().size() - 1);
    }
}
