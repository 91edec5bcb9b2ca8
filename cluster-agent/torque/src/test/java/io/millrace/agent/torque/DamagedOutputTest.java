package io.millrace.agent.torque;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.observe.AdapterCall;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged output of Torque is read or is trouble, and no job is lost silently. */
class DamagedOutputTest {

    private static final Instant NOW = Instant.parse("2026-11-20T13:40:00Z");
    private static final List<String> PIECES = List.of(
            "<a>",
            "</a>",
            "&lt;",
            "&#1;",
            "\n    a = b",
            "0-1,",
            "0/1.vm,",
            "a=b ",
            "\n11/20/2026 13:36:00;E;1.vm;a=b");
    private static final String LOG = """
        11/20/2026 13:32:37;Q;1.vm;queue=batch
        11/20/2026 13:32:37;S;1.vm;user=alice group=users account=p jobname=run queue=batch ctime=1795181557 start=1795181557
        11/20/2026 13:36:00;E;1.vm;user=alice group=users account=p jobname=run queue=batch ctime=1795181557 start=1795181557 \
        exec_host=vm/0-3 Resource_List.nodes=1:ppn=4 end=1795181760 Exit_status=0 resources_used.walltime=00:03:23
        11/20/2026 13:37:00;D;2.vm;requestor=alice@vm
        """;

    @TempDir
    Path tags;

    private WorkloadManager torque(final Runner runner) {
        final TorqueSite site = new TorqueSite(
                RecordedOutput.SITE.cluster(),
                null,
                null,
                RecordedOutput.SITE.accounting(),
                ZoneOffset.UTC,
                tags.resolve("tags"),
                false);
        return Torque.of(site, runner, Clock.fixed(NOW, ZoneOffset.UTC), () -> "nonce");
    }

    private static CommandResult recorded(final List<String> argv, final boolean xml) {
        return switch (argv.getFirst()) {
            case "qstat" -> {
                if (argv.contains("-x") && !xml) {
                    yield CommandResult.of(2, "", "usage: qstat [-f]");
                }
                yield RecordedOutput.of(
                                argv.contains("-B")
                                        ? "038"
                                        : argv.contains("-Q") ? "036" : argv.contains("-x") ? "031" : "029")
                        .result();
            }
            case "pbsnodes" ->
                RecordedOutput.of(argv.contains("-x") ? "041" : "040").result();
            case "tracejob" ->
                CommandResult.of(
                        0,
                        "Job: 1.vm\n\n11/20/2026 13:32:37.123  S    Job Run at request of alice@vm\n"
                                + "11/20/2026 13:36:00.001  S    Exit_status=0 resources_used.walltime=00:00:01\n",
                        "");
            default -> CommandResult.of(0, LOG, "");
        };
    }

    private static Runner answering(final boolean xml, final UnaryOperator<String> change) {
        return new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                final CommandResult result = recorded(command.argv(), xml);
                return command.read(
                        CommandResult.of(result.exit(), change.apply(result.outputText()), result.errorText()));
            }

            @Override
            public Runner as(final UserName owner) {
                return this;
            }
        };
    }

    private void readEverything(final Runner runner, final List<JobKey> jobs) {
        final WorkloadManager torque = torque(runner);
        torque.observe();
        AdapterCall.of("ended", () -> torque.get(Accounting.class).ended(jobs));
        AdapterCall.of("endedSince", () -> torque.get(Accounting.class).endedSince(NOW.minusSeconds(86_400)));
        AdapterCall.of(
                "find",
                () -> torque.get(AttemptFinding.class)
                        .find(GlobalJobId.of("01KJMZ3Q7Y8ZABCDEFGHJKMNPQ").attempt(1), UserName.of("alice")));
        AdapterCall.of(
                "directory", () -> torque.get(ApplicationCheckpointing.class).directory(jobs.getFirst()));
        torque.get(Restricting.class).restrictions();
    }

    @Test
    void damaged_output_never_ends_the_agent() {
        for (final boolean xml : new boolean[] {true, false}) {
            final List<JobKey> jobs = torque(answering(xml, text -> text)).observe().get().jobs().stream()
                    .map(JobObserved::job)
                    .toList();
            assertThat(jobs).isNotEmpty();
            DamagedOutput.survives(argv -> recorded(argv, xml), PIECES, runner -> readEverything(runner, jobs));
        }
    }

    @Test
    void a_job_that_cannot_be_read_is_counted_and_hides_no_other_job() {
        final Observation whole =
                torque(answering(true, text -> text)).observe().get();
        final String id = whole.jobs().getFirst().job().id().local();
        final Observation seen = torque(answering(true, text -> {
                    final int job = text.indexOf("<Job_Id>" + id + "</Job_Id>");
                    final int time = text.indexOf("<ctime>", job);
                    return job < 0 || time < 0
                            ? text
                            : text.substring(0, time) + "<ctime>damaged"
                                    + text.substring(text.indexOf("</ctime>", time));
                }))
                .observe()
                .get();

        assertThat(seen.unreadable()).containsExactly(id);
        assertThat(seen.jobs()).hasSize(whole.jobs().size() - 1);
    }
}
