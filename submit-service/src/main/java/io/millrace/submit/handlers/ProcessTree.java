package io.millrace.submit.handlers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program and all processes that it started. They are found as descendants, by their session, or by a variable in their environment.
 * A process escapes only if it starts a new session and clears its environment.
 */
final class ProcessTree {

    /** Name of the environment variable that identifies the processes of one run. */
    static final String MARK = "MILLRACE_HANDLER_RUN";

    private static final Path PROC = Path.of("/proc");
    private static final int ROUNDS = 100;
    private static final int BETWEEN_MS = 10;
    /** Index in /proc/PID/stat after the command name in parentheses: state, parent, group, session. */
    private static final int SESSION_FIELD = 3;

    private ProcessTree() {}

    /** Kills repeatedly until no process is left, because a process may start another one before it is killed. */
    static void end(final Process leader, final String mark) {
        for (int round = 0; round < ROUNDS; round++) {
            final Set<ProcessHandle> alive = members(leader, mark);
            if (alive.isEmpty()) {
                return;
            }
            alive.forEach(ProcessHandle::destroyForcibly);
            rest();
        }
    }

    private static Set<ProcessHandle> members(final Process leader, final String mark) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            final Set<Long> below = leader.descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
            return all.filter(process -> process.pid() == leader.pid()
                            || below.contains(process.pid())
                            || session(process.pid()) == leader.pid()
                            || marked(process.pid(), mark))
                    .filter(process -> !zombie(process.pid()))
                    .collect(Collectors.toSet());
        }
    }

    private static boolean marked(final long pid, final String mark) {
        return read(pid, "environ").contains(MARK + "=" + mark);
    }

    private static long session(final long pid) {
        final String[] fields = stat(pid);
        return fields.length > SESSION_FIELD ? Long.parseLong(fields[SESSION_FIELD]) : -1;
    }

    private static boolean zombie(final long pid) {
        final String[] fields = stat(pid);
        return fields.length == 1 || fields[0].equals("Z");
    }

    private static String[] stat(final long pid) {
        final String line = read(pid, "stat");
        return line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
    }

    /** Empty if the process ended or is not readable. */
    private static String read(final long pid, final String file) {
        try {
            return Files.readString(PROC.resolve(Long.toString(pid)).resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static void rest() {
        try {
            Thread.sleep(BETWEEN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
