package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.Account;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
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
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The stand-in with two nodes of two cores. As root jobs run as {@code nobody}, else as whoever runs the tests. */
final class PbsProUnderTest implements ClusterUnderTest {

    private final Accounts accounts = new Accounts();
    private final Account owner;
    private final Path root;
    final StandIn standIn;
    private final PbsPro pbs;
    private Path directory;

    PbsProUnderTest() {
        owner = accounts.own().uid() == 0
                ? accounts.named(UserName.of("nobody")).orElseThrow()
                : accounts.own();
        root = folder(null);
        directory = root;
        try {
            standIn = new StandIn(root.resolve("pbs"), accounts);
            Files.setPosixFilePermissions(root.resolve("pbs"), PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        final AtomicLong nonces = new AtomicLong();
        pbs = new PbsPro(site(), standIn, Clock.systemUTC(), () -> "n" + nonces.incrementAndGet());
    }

    private PbsSite site() {
        return new PbsSite(
                cluster(),
                null,
                Map.of(),
                ZoneId.of("Asia/Shanghai"), // asked for in a zone that is not the server's
                ZoneOffset.UTC,
                root.resolve("pbs").resolve("accounting"),
                accounts.own().name().value(),
                PbsSite.Charge.PROJECT);
    }

    private static Path folder(final @Nullable Path parent) {
        try {
            final Path folder = parent == null
                    ? Files.createTempDirectory("millrace-pbs-")
                    : Files.createTempDirectory(parent, "größe ");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            return folder;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
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
        return owner.name();
    }

    @Override
    public Path directory() {
        directory = folder(root);
        try {
            Files.setAttribute(directory, "unix:uid", owner.uid());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }

    @Override
    public JobKey userSubmits(final String name, final String script, final int cores, final Duration walltime) {
        final String id = standIn.user(owner())
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
                        directory.toString()))
                .get();
        return wlm().observe().get().jobs().stream()
                .filter(job -> job.job().id().local().equals(id))
                .findFirst()
                .map(io.millrace.model.cluster.JobObserved::job)
                .orElseGet(() -> key(id));
    }

    private JobKey key(final String id) {
        final StandInJob job = StandInOrders.find(standIn.server, id);
        return new JobKey(new io.millrace.model.JobId(cluster(), id), java.util.Objects.requireNonNull(job).created);
    }

    @Override
    public void userHolds(final JobKey job) {
        standIn.user(owner())
                .run(new Typed(List.of("qhold", "-h", "u", job.id().local()), "", "/"))
                .get();
    }

    /** PBS takes a range: what is not wanted of it is deleted, and leaves a sparse array. */
    @Override
    public boolean userSubmitsArray(final String name, final String script, final String indices) {
        final String id = standIn.user(owner())
                .run(new Typed(List.of("qsub", "-N", name, "-J", "2-7"), script, directory.toString()))
                .get();
        final StandInJob array = java.util.Objects.requireNonNull(StandInOrders.find(standIn.server, id));
        array.waiting.removeAll(Set.of(3, 4));
        return true;
    }

    @Override
    public boolean userAsksForASession(final String name) {
        standIn.user(owner())
                .run(new Typed(List.of("qsub", "-I", "-N", name), "", directory.toString()))
                .get();
        return true;
    }

    /** A command as somebody types it. */
    private record Typed(List<String> argv, String stdin, String directory) implements CommandLine<String> {
        @Override
        public byte[] input() {
            return stdin.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(result.outputText().strip())
                    : Answer.trouble(Answer.Kind.REJECTED, result.complaint());
        }
    }

    @Override
    public @Nullable Set<Capability> offers() {
        final Set<Capability> all = EnumSet.allOf(Capability.class);
        all.remove(Capability.CRIU_CHECKPOINT);
        return all;
    }

    @Override
    public @Nullable List<String> wordsOfTheLastSubmission() {
        return standIn.lastSubmission.get();
    }

    @Override
    public Duration shortestWalltime() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void close() {
        standIn.server.close();
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
