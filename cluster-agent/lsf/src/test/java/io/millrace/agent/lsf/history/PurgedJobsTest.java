package io.millrace.agent.lsf.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.Lsf;
import io.millrace.agent.lsf.Recording;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ended jobs that mbatchd has purged, read from the end of the recorded {@code lsb.acct}. */
class PurgedJobsTest {

    private static final Instant BEFORE_ALL = Instant.ofEpochSecond(1795179000L);

    @TempDir
    Path state;

    /** Responds to {@code tail} from files in memory, and to other commands from the recordings. */
    private static final class Logs implements Runner {
        private final Map<String, byte[]> files = new HashMap<>();
        private final List<Integer> tails = new ArrayList<>();
        private CommandResult version = Recording.of("001-version").result();
        private CommandResult params = CommandResult.of(1, "", "");
        private CommandResult queue = CommandResult.of(255, "", "No job found\n");

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            final List<String> argv = command.argv();
            return command.read(
                    switch (argv.get(0)) {
                        case "lsid" -> version;
                        case "bparams" -> params;
                        case "bqueues" -> Recording.of("064-bqueues-l").result();
                        case "bjobs" ->
                            argv.contains("-UF") ? CommandResult.of(255, "", "bjobs: illegal option\n") : queue;
                        case "tail" -> tail(argv.get(1), argv.get(3));
                        case "bhist" -> CommandResult.of(255, "", "No matching job found\n");
                        default -> CommandResult.of(1, "", "");
                    });
        }

        private CommandResult tail(final String bytes, final String file) {
            final int most = Integer.parseInt(bytes.replaceAll("\\D", ""));
            tails.add(most);
            final byte[] text = files.get(file);
            return text == null
                    ? CommandResult.of(1, "", "tail: cannot open '" + file + "': No such file or directory\n")
                    : new CommandResult(
                            0, Arrays.copyOfRange(text, Math.max(0, text.length - most), text.length), new byte[0]);
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    private final Logs logs = new Logs();

    private Map<String, EndedJob> since(final Instant since) {
        final WorkloadManager lsf = Lsf.of(
                new LsfSite(
                        ClusterId.of("lava"),
                        null,
                        null,
                        state,
                        Set.of(),
                        null,
                        null,
                        Path.of("/logs"),
                        null,
                        "default"),
                logs,
                new Accounts(),
                Clock.fixed(Instant.ofEpochSecond(1795190000L), ZoneOffset.UTC),
                () -> "n0");
        return lsf.get(Accounting.class).endedSince(since).get().stream()
                .collect(Collectors.toMap(job -> job.job().id().local(), Function.identity()));
    }

    private static byte[] recorded() {
        return Recording.of("190-lsb-acct").result().output();
    }

    @Test
    void a_purged_job_is_found_with_all_its_runs() {
        logs.files.put("/logs/lsb.acct", recorded());

        final Map<String, EndedJob> ended = since(BEFORE_ALL);

        final EndedJob solver = ended.get("101");
        assertThat(solver.owner()).hasToString("alice");
        assertThat(solver.project()).hasToString("projA");
        assertThat(solver.partition()).hasToString("normal");
        assertThat(solver.resources().cores()).isEqualTo(2);
        assertThat(solver.runs().getLast().outcome()).isEqualTo(new RunOutcome.Signalled(2));
        assertThat(solver.runs().getLast().source()).isEqualTo("lsb.acct");
        assertThat(solver.runs().getLast().used().peakMemoryBytes()).isEqualTo(8176L << 10);
        assertThat(ended).containsKeys("106[1]", "105[3]", "105[5]", "105[1]");
        assertThat(ended.values())
                .allSatisfy(job -> assertThat(job.runs().subList(0, job.runs().size() - 1))
                        .allMatch(run -> run.outcome() instanceof RunOutcome.Requeued));
    }

    @Test
    void jobs_that_ended_earlier_and_jobs_that_mbatchd_still_lists_are_left_out() {
        logs.files.put("/logs/lsb.acct", recorded());
        final Instant later =
                since(BEFORE_ALL).get("109").runs().getLast().ended().plusSeconds(1);
        assertThat(since(later)).doesNotContainKeys("109", "113").containsKey("101");

        logs.queue = Recording.of("039-bjobs-all-a-l").result();
        assertThat(since(BEFORE_ALL)).as("101 is listed and running").doesNotContainKey("101");
    }

    @Test
    void a_rotated_file_is_read_with_its_predecessor() {
        final String text = new String(recorded(), StandardCharsets.UTF_8);
        final int half = text.indexOf("\n\"JOB_FINISH\"", text.length() / 2) + 1;
        logs.files.put("/logs/lsb.acct.1", text.substring(0, half).getBytes(StandardCharsets.UTF_8));
        logs.files.put("/logs/lsb.acct", text.substring(half).getBytes(StandardCharsets.UTF_8));
        final Map<String, EndedJob> both = since(BEFORE_ALL);

        logs.files.remove("/logs/lsb.acct.1");
        logs.files.put("/logs/lsb.acct", recorded());
        assertThat(both.keySet()).isEqualTo(since(BEFORE_ALL).keySet());
    }

    @Test
    void only_the_required_end_of_a_long_file_is_read() {
        final StringBuilder text = new StringBuilder();
        final String[] lines = new String(recorded(), StandardCharsets.UTF_8).split("(?<=\n)");
        for (int i = 0; i < 2_000; i++) {
            text.append(lines[0]);
        }
        text.append(String.join("", lines));
        logs.files.put("/logs/lsb.acct", text.toString().getBytes(StandardCharsets.UTF_8));

        assertThat(since(Instant.ofEpochSecond(1795189000L))).isEmpty();
        assertThat(logs.tails).containsExactly(64 * 1024);
        logs.tails.clear();
        since(Instant.ofEpochSecond(1795179950L));
        assertThat(logs.tails).hasSizeGreaterThan(1);
    }

    /** A run of eight slots on two hosts; the file has 1,000 MB as reserved. */
    @Test
    void memory_is_reserved_for_each_host_or_as_the_cluster_is_configured_for_each_slot() {
        logs.version = CommandResult.of(0, "IBM Spectrum LSF Standard 10.1.0.12, Jan 17 2023\n", "");
        logs.files.put(
                "/logs/lsb.acct",
                ("\"JOB_FINISH\" \"10.1\" 1795184000 9001 1201 33882130 8 1795180000 0 0 1795180100 \"anna\""
                                + " \"normal\" \"rusage[mem=1000]\" \"\" \"\" \"login1\" \"/w/anna\" \"\" \"%J.out\" \"\""
                                + " \"1795180000.9001\" 0 2 \"4*a\" \"4*b\" 64 12.5 \"train\" \"python\""
                                + " 0".repeat(19)
                                + " \"\" \"default\" 0 8 \"\" \"\" 0 102400 0 \"\" \"\" \"\" \"\" 0 \"\" 0\n")
                        .getBytes(StandardCharsets.UTF_8));
        logs.params = CommandResult.of(0, "    RESOURCE_RESERVE_PER_TASK = N\n", "");
        assertThat(since(BEFORE_ALL).get("9001").resources()).isEqualTo(new Resources(8, 0, 2000, 0));

        logs.params = CommandResult.of(0, "    RESOURCE_RESERVE_PER_TASK = Y\n", "");
        assertThat(since(BEFORE_ALL).get("9001").resources()).isEqualTo(new Resources(8, 0, 8000, 0));
    }

    @Test
    void a_missing_file_gives_no_ended_jobs() {
        assertThat(since(BEFORE_ALL)).isEmpty();
    }
}
