package io.millrace.story;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The whole stack, with real Slurm clusters or without clusters. The launcher starts it, and stops it on {@link #close()}. */
public final class LiveStack implements AutoCloseable {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private final Process launcher;
    private final Path siteFile;

    private LiveStack(final Process launcher, final Path siteFile) {
        this.launcher = launcher;
        this.siteFile = siteFile;
    }

    /** Two Slurm clusters and a local one. Skips the tests where real Slurm cannot run. The launcher lists skipped tests, and fails on them in CI. */
    public static LiveStack open() {
        assumeSlurm();
        return start();
    }

    /** Two Slurm clusters on separate hosts. Skips the tests also where network namespaces cannot be created. */
    public static LiveStack openHosts() {
        assumeSlurm();
        Assumptions.assumeTrue(
                Stream.of("ip", "tc", "sshd", "rsync").allMatch(LiveStack::isInstalled)
                        && Shell.run(List.of("unshare", "--net", "--mount", "true"), ROOT, Map.of())
                                        .exit()
                                == 0,
                "THE TEST ON SEPARATE HOSTS IS SKIPPED: it requires the packages iproute2, openssh-server and rsync, and the right to"
                        + " create network namespaces");
        return start("hosts");
    }

    private static void assumeSlurm() {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")) && isInstalled("slurmctld"),
                "THE END-TO-END TEST ON REAL SLURM IS SKIPPED: it requires root and the package slurm-wlm");
    }

    private static boolean isInstalled(final String program) {
        return Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Broker, database and services; the test simulates the agents. */
    public static LiveStack openWithoutClusters() {
        return start("none");
    }

    /** @param kind as the launcher's {@code test-stack} reads it */
    private static LiveStack start(final String... kind) {
        try {
            final List<String> command =
                    new ArrayList<>(List.of(ROOT.resolve("millrace").toString(), "test-stack"));
            command.addAll(List.of(kind));
            final Process launcher =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            final BufferedReader lines =
                    new BufferedReader(new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println("[stack] " + line);
                if (line.startsWith("stack ")) {
                    Thread.ofVirtual()
                            .start(() -> lines.lines().forEach(more -> System.out.println("[stack] " + more)));
                    return new LiveStack(launcher, Path.of(line.substring("stack ".length())));
                }
            }
            throw new IllegalStateException("the stack did not start; the launcher's output is above");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run the launcher", e);
        }
    }

    public Path siteFile() {
        return siteFile;
    }

    public Site site() {
        return Site.read(siteFile);
    }

    /** Kills a part with SIGKILL and starts it again; returns when it is ready. */
    void kill(final String part) {
        final String name = siteFile.getName(siteFile.getNameCount() - 2).toString();
        final Shell.Answer answer = Shell.run(
                List.of(ROOT.resolve("millrace").toString(), "restart", part, "--kill"),
                ROOT,
                Map.of("MILLRACE_STACK_NAME", name));
        System.out.println("[stack] killed and started again: " + part + " " + answer.orThrow());
    }

    @Override
    public void close() {
        launcher.toHandle().destroy(); // Process.destroy would close the pipe to which the launcher still writes
        try {
            if (!launcher.waitFor(300, TimeUnit.SECONDS)) {
                launcher.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
