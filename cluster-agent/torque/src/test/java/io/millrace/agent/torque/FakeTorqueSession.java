package io.millrace.agent.torque;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.UserSwitch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The processes of a job as started by pbs_mom: a login shell leads a separate session and reads the path of the job script from
 * its standard input.
 */
final class FakeTorqueSession {

    /** Waits for the session leader and returns its wait status. Java does not distinguish it from an exit code. */
    private static final String WAIT = "use POSIX; $| = 1; my $pid = fork; if (!$pid) { POSIX::setsid(); print \"$$\\n"
            + "\"; open STDOUT, '>', '/dev/null'; exec { $ARGV[0] } @ARGV; } waitpid($pid, 0); print +(($? & 127) ? 256 +"
            + " ($? & 127) : $? >> 8), \"\\n"
            + "\";";

    private final Process monitor;
    final long leader;

    FakeTorqueSession(
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
            argv.addAll(UserSwitch.prefix(self, owner));
            argv.addAll(List.of("bash", "--login"));
            final ProcessBuilder builder = new ProcessBuilder(argv)
                    .directory(new java.io.File("/"))
                    .redirectInput(input.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(environment);
            monitor = builder.start();
            final java.io.BufferedReader output = monitor.inputReader();
            leader = Long.parseLong(output.readLine().strip());
            Thread.startVirtualThread(() -> {
                try {
                    String last = null;
                    for (String line = output.readLine(); line != null; line = output.readLine()) {
                        last = line.matches("\\d+") ? line : last;
                    }
                    signal("KILL"); // processes that the session left behind
                    over.accept(last == null ? 256 + 9 : Integer.parseInt(last));
                } catch (final IOException e) {
                    over.accept(256 + 9);
                }
            });
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All processes of the session, including its leader. */
    void signal(final String name) {
        final List<String> argv = new ArrayList<>(List.of("bash", "-c", "kill -s \"$0\" -- \"$@\"", name));
        argv.addAll(members());
        if (argv.size() == 4) {
            return;
        }
        try {
            // Fails only for processes that have ended since.
            new ProcessBuilder(argv)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void pause(final Duration time) {
        try {
            Thread.sleep(time);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> members() {
        return ProcessHandle.allProcesses()
                .map(process -> Long.toString(process.pid()))
                .filter(pid -> Long.toString(leader).equals(session(pid)))
                .toList();
    }

    /** proc(5): state, parent, group and session follow the name in parentheses. */
    private static String session(final String pid) {
        try {
            final String stat = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[3];
        } catch (final IOException e) {
            return ""; // it has ended since
        }
    }
}
