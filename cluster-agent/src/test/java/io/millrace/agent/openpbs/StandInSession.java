package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.Account;
import io.millrace.agent.wlm.Identity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The processes of a job as pbs_mom starts them: a login shell leads a session of its own and reads the path of the job's script from its
 * standard input.
 */
final class StandInSession {

    /** Waits for the session's leader and says its wait status, which Java does not tell from an exit code. */
    private static final String WAIT =
            "use POSIX; my $pid = fork; if (!$pid) { POSIX::setsid(); open STDOUT, '>', '/dev/null'; exec { $ARGV[0] } @ARGV; }"
                    + " $| = 1; print \"$pid\\n\"; waitpid($pid, 0);"
                    + " print +(($? & 127) ? 256 + ($? & 127) : $? >> 8), \"\\n\";";

    private final Process monitor;
    final long leader;

    StandInSession(
            final Path folder,
            final String script,
            final Account self,
            final Account owner,
            final Map<String, String> environment,
            final IntConsumer over) {
        try {
            final Path file = Files.createTempFile(folder, "job", ".SC");
            Files.writeString(file, script);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            final Path input = Files.createTempFile(folder, "job", ".path");
            Files.writeString(input, file + "\n");
            final List<String> argv = new ArrayList<>(List.of("perl", "-e", WAIT));
            argv.addAll(Identity.prefix(self, owner, List.of()));
            argv.addAll(List.of("bash", "--login"));
            final ProcessBuilder builder = new ProcessBuilder(argv)
                    .directory(new java.io.File("/"))
                    .redirectInput(input.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(environment);
            monitor = builder.start();
            final java.io.BufferedReader said = monitor.inputReader();
            leader = Long.parseLong(said.readLine().strip());
            Thread.startVirtualThread(() -> {
                try {
                    String last = null;
                    for (String line = said.readLine(); line != null; line = said.readLine()) {
                        last = line.matches("\\d+") ? line : last;
                    }
                    signal("KILL"); // what the session left behind
                    over.accept(last == null ? 256 + 9 : Integer.parseInt(last));
                } catch (final IOException e) {
                    over.accept(256 + 9);
                }
            });
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every process of the session, its leader included. */
    void signal(final String name) {
        try {
            new ProcessBuilder("pkill", "--signal", name, "--session", Long.toString(leader))
                    .start()
                    .waitFor(10, TimeUnit.SECONDS);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean lives() {
        return ProcessHandle.of(leader).map(ProcessHandle::isAlive).orElse(false);
    }
}
