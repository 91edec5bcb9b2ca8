package io.millrace.agent.lsf;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.JobDirectory;
import io.millrace.agent.wlm.RemoteWlm;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The adapter with the emulator: two hosts of two slots. As root, jobs run as the user {@code nobody}, otherwise as
 * the current user.
 */
final class OpenLavaUnderTest implements ClusterUnderTest {

    private static final Pattern ID = Pattern.compile("Job <(\\d+)>");

    private final JobDirectory place = new JobDirectory("millrace-lsf-");
    private final OpenLava lava;
    private final LsfSite site;
    private final WorkloadManager lsf;

    OpenLavaUnderTest() {
        lava = new OpenLava(place.root(), Clock.systemUTC());
        site = new LsfSite(
                ClusterId.of("lava"),
                null,
                null,
                place.root().resolve("state"),
                Set.of(),
                "urgent",
                "normal",
                null,
                place.root().resolve("checkpoints"),
                "default");
        lsf = adapter();
        lsf.get(ControlSwitching.class).control(Control.DIRECTED).get();
    }

    /** A new adapter, as after a restart of the agent: only its files are kept. */
    WorkloadManager adapter() {
        return Lsf.of(
                site,
                new RemoteWlm(lava),
                place.accounts(),
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
    }

    /** The file with the queues that the agent has made inactive. */
    Path gate() {
        return site.stateDir().resolve("gate");
    }

    OpenLava lava() {
        return lava;
    }

    @Override
    public ClusterId cluster() {
        return site.cluster();
    }

    @Override
    public WorkloadManager wlm() {
        return lsf;
    }

    @Override
    public UserName owner() {
        return place.owner();
    }

    @Override
    public String commentOf(final JobKey job) {
        return lava.messages(job.id().local()).toString();
    }

    @Override
    public PartitionName otherPartition() {
        return PartitionName.of("urgent");
    }

    @Override
    public Path directory() {
        return place.fresh();
    }

    @Override
    public JobKey userSubmits(final String name, final String script, final int cores, final Duration walltime) {
        final String id = bsub(name, script, cores, walltime);
        return lsf.observe().get().jobs().stream()
                .map(JobObserved::job)
                .filter(job -> job.id().local().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private String bsub(final String name, final String script, final int cores, final Duration walltime) {
        final String output = asOwner(
                script,
                "bsub",
                "-J",
                name,
                "-r",
                "-n",
                Integer.toString(cores),
                "-W",
                Long.toString(Math.ceilDiv(walltime.toSeconds(), 60L)));
        final Matcher id = ID.matcher(output);
        if (!id.find()) {
            throw new AssertionError(output);
        }
        return id.group(1);
    }

    @Override
    public boolean userSubmitsArray(final String name, final String script, final String indices) {
        arrayOf(name, script, indices);
        return true;
    }

    /** @param indices optionally with {@code ]%5} at the end, the slot limit */
    String arrayOf(final String name, final String script, final String indices) {
        return bsub(name + "[" + indices + (indices.contains("]") ? "" : "]"), script, 1, Duration.ofMinutes(10));
    }

    @Override
    public boolean userAsksForASession(final String name) {
        asOwner("", "bsub", "-I", "-J", name, "sh");
        return true;
    }

    @Override
    public void userHolds(final JobKey job) {
        asOwner("", "bstop", job.id().local());
    }

    String asOwner(final String input, final String... argv) {
        return lava.as(owner())
                .run(new Typed(List.of(argv), input, place.latest()))
                .get();
    }

    @Override
    public List<String> wordsOfTheLastSubmission() {
        return lava.asked().stream()
                .filter(argv -> argv.get(0).equals("bsub"))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    /** bsub expects minutes. */
    @Override
    public Duration shortestWalltime() {
        return Duration.ofMinutes(1);
    }

    @Override
    public void close() {
        lava.close();
        place.close();
    }

    /** Runs a command as a user, without Millrace. */
    private record Typed(List<String> argv, String text, Path in) implements CommandLine<String> {

        @Override
        public byte[] input() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String directory() {
            return in.toString();
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(result.outputText())
                    : LsfErrors.of(String.join(" ", argv), result, Answer.Kind.REJECTED);
        }
    }
}
