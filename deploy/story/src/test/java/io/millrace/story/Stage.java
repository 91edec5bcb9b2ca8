package io.millrace.story;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The whole stack on two real Slurm clusters and a local one, brought up by the launcher and taken down at the end. */
final class Stage implements AutoCloseable {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private final Process launcher;
    private final Path siteFile;

    private Stage(final Process launcher, final Path siteFile) {
        this.launcher = launcher;
        this.siteFile = siteFile;
    }

    /** Skips the tests, loudly, where real Slurm cannot run; in CI the launcher lets no test be skipped. */
    static Stage open() {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/sbin/slurmctld")),
                "THE STORY ON REAL SLURM IS NOT TOLD: it needs root and Debian's slurm-wlm");
        try {
            final Process launcher = new ProcessBuilder(ROOT.resolve("millrace").toString(), "stage")
                    .redirectErrorStream(true)
                    .start();
            final BufferedReader lines =
                    new BufferedReader(new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println("[stage] " + line);
                if (line.startsWith("stage ")) {
                    Thread.ofVirtual()
                            .start(() -> lines.lines().forEach(more -> System.out.println("[stage] " + more)));
                    return new Stage(launcher, Path.of(line.substring("stage ".length())));
                }
            }
            throw new IllegalStateException("the stage did not come up; what the launcher said stands above");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run the launcher", e);
        }
    }

    Site site() {
        return Site.read(siteFile);
    }

    /** Kills a part as a crash would, and starts it again; returns when it is ready. */
    void kill(final String part) {
        final String name = siteFile.getName(siteFile.getNameCount() - 2).toString();
        final Shell.Answer answer = Shell.run(
                List.of(ROOT.resolve("millrace").toString(), "restart", part, "--kill"),
                ROOT,
                Map.of("MILLRACE_STACK_NAME", name));
        System.out.println("[stage] killed and started again: " + part + " " + answer.orThrow());
    }

    @Override
    public void close() {
        launcher.toHandle().destroy(); // the process itself would close the pipe that the launcher still writes to
        try {
            if (!launcher.waitFor(90, TimeUnit.SECONDS)) {
                launcher.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
