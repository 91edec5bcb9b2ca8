package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.identity.TestSigner;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real Slurm cluster on this machine, started by {@code lab/slurm/slurm-lab} and removed at the end. */
public final class SlurmLab implements ClusterUnderTest {

    private static final String OWNER = "mr-alice";
    private static final String AGENT = "millrace";

    private final Path dir;
    private final SlurmSite site;
    private final Runner runner = new ProcessRunner(new Accounts());
    private final WorkloadManager slurm;
    private int directories;

    private SlurmLab(final Path dir) {
        this.dir = dir;
        this.site = new SlurmSite(ClusterId.of("alpha"), dir.resolve("alpha/etc/slurm.conf"));
        this.slurm = Slurm.of(
                site,
                runner,
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
    }

    /** Skips the test with the reason if no lab can be started. */
    public static SlurmLab open() {
        return open(List.of("slurmctld", "slurmd", "munged"), List.of());
    }

    /**
     * A lab with slurmdbd and MariaDB: Slurm enforces limits and QoS, the users belong to the account {@code lab}, and priorities
     * include the age of jobs.
     */
    public static SlurmLab openWithAccounting() {
        return open(List.of("slurmctld", "slurmd", "munged", "slurmdbd", "mariadbd"), List.of("--accounting"));
    }

    /** A lab with accounting and an unprivileged user {@code millrace} that may run the agent. */
    public static SlurmLab openForAgent() {
        final SlurmLab lab = open(
                List.of("slurmctld", "slurmd", "munged", "slurmdbd", "mariadbd", "visudo", "gcc"),
                List.of("--accounting", "--agent", AGENT));
        lab.configureHelper();
        return lab;
    }

    private void configureHelper() {
        try {
            Files.writeString(
                    dir.resolve("submission-keys.pub.pem"),
                    "-----BEGIN PUBLIC KEY-----\n"
                            + Base64.getMimeEncoder()
                                    .encodeToString(signer.key.toECPublicKey().getEncoded())
                            + "\n-----END PUBLIC KEY-----\n");
            Files.writeString(dir.resolve("become.conf"), """
                cluster %2$s %1$s/staging
                keys %1$s/submission-keys.pub.pem
                commands %1$s/helper/commands
                prologue %1$s/helper/prologue
                group millrace-users
                min-uid 1000
                variable SLURM_CONF %3$s
                variable SLURM_UMASK *
                variable SLURM_TIME_FORMAT *
                """.formatted(dir, site.cluster(), site.conf()));
            sh("mkdir", "-m", "1777", dir + "/staging");
        } catch (final IOException | com.nimbusds.jose.JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What an owner has signed: a submission from this directory of a cluster. */
    Authority authority(
            final Authority.Kind kind,
            final AttemptId attempt,
            final UserName owner,
            final JobSpec spec,
            final ClusterId source,
            final String from) {
        return Authority.of(kind, signature(attempt, owner, spec, source, from), attempt)
                .on(site.cluster());
    }

    String signature(
            final AttemptId attempt,
            final UserName owner,
            final JobSpec spec,
            final ClusterId source,
            final String from) {
        final Instant soon = Instant.now().plusSeconds(3600);
        return signer.submission(
                new Authorization.Origin(owner, null, attempt.job(), source, from, FileFilters.NONE), spec, soon, soon);
    }

    /** The same cluster, accessed as that user. */
    WorkloadManager wlmOfAgent() {
        return Slurm.of(
                site,
                UnprivilegedUser.runner(runner, UserName.of(AGENT)),
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
    }

    private final TestSigner signer = new TestSigner("lab");

    private static SlurmLab open(final List<String> programs, final List<String> options) {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "the Slurm lab needs root: slurmd starts jobs as their owners");
        assumeTrue(
                programs.stream().allMatch(SlurmLab::installed),
                "some of " + programs + " are not installed; run: lab/slurm/slurm-lab install");
        try {
            final Path dir = Files.createTempDirectory(Path.of("/tmp"), "mr-lab-");
            final List<String> up = new ArrayList<>(
                    List.of(script(), "up", "--dir", dir.toString(), "--clusters", "alpha", "--nodes", "4", "--fast"));
            up.addAll(options);
            sh(up.toArray(String[]::new));
            return new SlurmLab(dir);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same cluster under another name. */
    public WorkloadManager wlm(final ClusterId name) {
        return Slurm.of(
                new SlurmSite(name, site.conf()),
                runner,
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
    }

    public SlurmSite site() {
        return site;
    }

    Runner runner() {
        return runner;
    }

    Path dir() {
        return dir;
    }

    @Override
    public ClusterId cluster() {
        return site.cluster();
    }

    @Override
    public WorkloadManager wlm() {
        return slurm;
    }

    @Override
    public UserName owner() {
        return UserName.of(OWNER);
    }

    /** None where this release changes no partitions. */
    @Override
    public @Nullable PartitionName otherPartition() {
        return slurm.get(Restricting.class).restrictions().withheld().containsKey(Capability.MOVE)
                ? null
                : PartitionName.of("fast");
    }

    @Override
    public Path directory() {
        final Path fresh = Path.of("/home", OWNER, dir.getFileName() + "-" + directories++);
        sh("install", "-d", "-o", OWNER, fresh.toString());
        return fresh;
    }

    @Override
    public JobKey userSubmits(final String name, final String script, final int cores, final Duration walltime) {
        final String id = submit(script, name, "--ntasks=" + cores, "--time=" + TimeLimits.write(walltime));
        return slurm.observe().get().jobs().stream()
                .map(JobObserved::job)
                .filter(job -> job.id().local().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public boolean userSubmitsArray(final String name, final String script, final String indices) {
        submit(script, name, "--ntasks=1", "--time=10", "--array=" + indices);
        return true;
    }

    /** The owner submits a job in the last {@link #directory()}. */
    private String submit(final String script, final String name, final String... options) {
        final List<String> argv = new ArrayList<>(List.of("sbatch", "--parsable", "--job-name=" + name));
        argv.addAll(List.of(options));
        return runner.as(owner())
                .run(new AsUser(argv, script, "/home/" + OWNER + "/" + dir.getFileName() + "-" + (directories - 1)))
                .get()
                .strip();
    }

    @Override
    public void userHolds(final JobKey job) {
        assertThat(asOwner("scontrol", "hold", job.id().local())).isInstanceOf(Answer.Ok.class);
    }

    /** salloc blocks until it gets its cores or its job is cancelled. */
    @Override
    public boolean userAsksForASession(final String name) {
        Thread.ofVirtual()
                .start(() -> asOwner("salloc", "--no-shell", "--job-name=" + name, "--ntasks=1", "--time=10"));
        return true;
    }

    Answer<String> asOwner(final String... argv) {
        return as(owner(), argv);
    }

    Answer<String> as(final UserName user, final String... argv) {
        return runner.as(user).run(new AsUser(List.of(argv), "", null));
    }

    /** Submits a sleeping job as this user without Millrace; returns the local id. */
    public String sleeper(final UserName user, final String... options) {
        return script(user, "#!/bin/sh\nexec sleep 600\n", List.of(options));
    }

    String script(final UserName user, final String script, final List<String> options) {
        final List<String> argv =
                new ArrayList<>(List.of("sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null", "--time=10"));
        argv.addAll(options);
        return runner.as(user).run(new AsUser(argv, script, null)).get().strip();
    }

    Optional<JobObserved> observedIfThere(final String localId) {
        return slurm.observe().get().jobs().stream()
                .filter(job -> job.job().id().local().equals(localId))
                .findFirst();
    }

    JobObserved observed(final String localId) {
        return observedIfThere(localId)
                .orElseThrow(() -> new AssertionError("job " + localId + " is not in the queue"));
    }

    /** The only pending task of an array: a job of its own, or, in newer releases, still the array. */
    JobKey lastTask(final JobKey array, final int index) {
        return observedIfThere(array.id().local() + "_" + index)
                .map(JobObserved::job)
                .orElseGet(() -> {
                    assertThat(observed(array.id().local()).detail().array().indices())
                            .isEqualTo("" + index);
                    return array;
                });
    }

    JobKey key(final String localId) {
        return observed(localId).job();
    }

    /** Polls until the job satisfies the condition. */
    public JobObserved await(final String localId, final Predicate<JobObserved> wanted) {
        final AtomicReference<JobObserved> seen = new AtomicReference<>();
        until(() -> "the expected state of job " + localId + "; last observation: " + seen, () -> {
            seen.set(observed(localId));
            return wanted.test(seen.get());
        });
        return seen.get();
    }

    void until(final String what, final BooleanSupplier wanted) {
        until(() -> what, wanted);
    }

    private void until(final Supplier<String> what, final BooleanSupplier wanted) {
        final Instant limit = Instant.now().plus(patience());
        while (!wanted.getAsBoolean()) {
            assertThat(Instant.now())
                    .as(() -> "timed out waiting for " + what.get())
                    .isBefore(limit);
            try {
                Thread.sleep(150);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    Answer<String> asRoot(final String... argv) {
        return runner.run(new AsUser(List.of(argv), "", null));
    }

    /** slurmctld rounds limits up to minutes. */
    @Override
    public Duration shortestWalltime() {
        return Duration.ofMinutes(1);
    }

    /** Kills a daemon of the lab, such as {@code alpha.slurmctld}, {@code alpha.slurmdbd} or {@code database}. */
    void stop(final String daemon) {
        sh(script(), "stop", "--dir", dir.toString(), daemon);
    }

    void start(final String daemon) {
        sh(script(), "start", "--dir", dir.toString(), daemon);
    }

    @Override
    public void close() {
        sh(script(), "down", "--dir", dir.toString());
    }

    private static String script() {
        return root().resolve("lab/slurm/slurm-lab").toString();
    }

    private static boolean installed(final String program) {
        return Stream.of("/usr/sbin", "/usr/bin").anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    public static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("lab/slurm/slurm-lab"))) {
            at = at.getParent();
        }
        return at;
    }

    private static void sh(final String... argv) {
        try {
            final Process process =
                    new ProcessBuilder(argv).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A command that a user runs without Millrace. */
    private final class AsUser implements CommandLine<String> {
        private final List<String> argv;
        private final String input;
        private final @Nullable String directory;

        AsUser(final List<String> argv, final String input, final @Nullable String directory) {
            this.argv = new ArrayList<>(argv);
            this.input = input;
            this.directory = directory;
        }

        @Override
        public List<String> argv() {
            return argv;
        }

        @Override
        public byte[] input() {
            return input.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Map<String, String> environment() {
            return site.changeEnvironment();
        }

        @Override
        public @Nullable String directory() {
            return directory;
        }

        /** Some commands block until cores are idle. */
        @Override
        public Duration limit() {
            return Duration.ofMinutes(3);
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(result.outputText())
                    : SlurmErrors.of(String.join(" ", argv), result, Answer.Kind.REJECTED);
        }
    }
}
