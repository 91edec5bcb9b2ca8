package io.millrace.agent.pbspro;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.JobDirectory;
import io.millrace.agent.wlm.RemoteWlm;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The fake with two nodes of two cores. Jobs run as {@code nobody} if the tests run as root, otherwise as the current user. */
final class PbsProUnderTest implements ClusterUnderTest {

    private final JobDirectory place = new JobDirectory("millrace-pbs-");
    final FakePbs fake;
    private final WorkloadManager pbs;

    PbsProUnderTest() {
        try {
            fake = new FakePbs(place.root().resolve("pbs"), place.accounts());
            Files.setPosixFilePermissions(place.root().resolve("pbs"), PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        final AtomicLong nonces = new AtomicLong();
        pbs = PbsPro.of(site(), new RemoteWlm(fake), Clock.systemUTC(), () -> "n" + nonces.incrementAndGet());
    }

    private PbsSite site() {
        return new PbsSite(
                cluster(),
                null,
                Map.of(),
                ZoneId.of("Asia/Shanghai"), // differs from the server's time zone
                ZoneOffset.UTC,
                place.root().resolve("pbs").resolve("accounting"),
                null,
                place.accounts().own().name().value(),
                PbsSite.Charge.PROJECT);
    }

    @Override
    public ClusterId cluster() {
        return ClusterId.of("pbs");
    }

    @Override
    public WorkloadManager wlm() {
        return pbs;
    }

    @Override
    public UserName owner() {
        return place.owner();
    }

    @Override
    public Path directory() {
        return place.fresh();
    }

    @Override
    public JobKey userSubmits(final String name, final String script, final int cores, final Duration walltime) {
        final String id = fake.user(owner())
                .run(new Typed(
                        List.of(
                                "qsub",
                                "-N",
                                name.replace(' ', '_'),
                                "-l",
                                "select=" + cores + ":ncpus=1",
                                "-l",
                                "walltime=" + walltime.toSeconds()),
                        script,
                        place.latest().toString()))
                .get();
        return wlm().observe().get().jobs().stream()
                .filter(job -> job.job().id().local().equals(id))
                .findFirst()
                .map(io.millrace.model.cluster.JobObserved::job)
                .orElseGet(() -> key(id));
    }

    private JobKey key(final String id) {
        final FakePbsJob job = FakePbsCommands.find(fake.server, id);
        return new JobKey(new io.millrace.model.JobId(cluster(), id), java.util.Objects.requireNonNull(job).created);
    }

    @Override
    public void userHolds(final JobKey job) {
        fake.user(owner())
                .run(new Typed(List.of("qhold", "-h", "u", job.id().local()), "", "/"))
                .get();
    }

    @Override
    public String commentOf(final JobKey job) {
        return String.valueOf(java.util.Objects.requireNonNull(
                        FakePbsCommands.find(fake.server, job.id().local()))
                .comment);
    }

    @Override
    public PartitionName otherPartition() {
        return PartitionName.of("short");
    }

    /** PBS accepts only a range: the unwanted indices are deleted, which leaves a sparse array. */
    @Override
    public boolean userSubmitsArray(final String name, final String script, final String indices) {
        final String id = fake.user(owner())
                .run(new Typed(
                        List.of("qsub", "-N", name, "-J", "2-7"),
                        script,
                        place.latest().toString()))
                .get();
        final FakePbsJob array = java.util.Objects.requireNonNull(FakePbsCommands.find(fake.server, id));
        array.waiting.removeAll(Set.of(3, 4));
        return true;
    }

    @Override
    public boolean userAsksForASession(final String name) {
        fake.user(owner())
                .run(new Typed(
                        List.of("qsub", "-I", "-N", name), "", place.latest().toString()))
                .get();
        return true;
    }

    /** A command as a user would type it. */
    private record Typed(List<String> argv, String stdin, String directory) implements CommandLine<String> {
        @Override
        public byte[] input() {
            return stdin.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(result.outputText().strip())
                    : Answer.trouble(Answer.Kind.REJECTED, result.errorText());
        }
    }

    @Override
    public @Nullable Set<Capability> offers() {
        final Set<Capability> all = EnumSet.allOf(Capability.class);
        all.removeAll(Set.of(Capability.MOVE_TASKS, Capability.PARTITION_CHOICE));
        return all;
    }

    @Override
    public @Nullable List<String> wordsOfTheLastSubmission() {
        return fake.lastSubmission.get();
    }

    @Override
    public Duration shortestWalltime() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {
        fake.server.close();
        place.close();
    }
}
