package io.millrace.agent.session;

import io.millrace.agent.exec.CommandResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A session, identified by the files that its wrapper writes to its folder. */
public final class Session {

    private static final String BOOT =
            text(Path.of("/proc/sys/kernel/random/boot_id")).orElse("").strip();

    private final Path folder;
    private final List<String> prefix;

    /** The report of the wrapper; it is written once. */
    private volatile @Nullable String start;

    public Session(final Path folder) {
        this(folder, List.of());
    }

    /** @param prefix command line prefix of the helper for signals, if the agent itself has no permission to signal the processes */
    public Session(final Path folder, final List<String> prefix) {
        this.folder = folder;
        this.prefix = prefix.contains("sudo") ? List.copyOf(prefix) : List.of();
    }

    /** How it ended; {@code started} and {@code ended} in microseconds since 1970. */
    public record Exit(int status, long started_us, long ended_us, boolean timedOut) {}

    /** How it ended; empty while it runs, or if its end was not recorded. */
    public Optional<Exit> exit() {
        return read("exit").map(line -> {
            final String[] field = line.split(" ");
            return new Exit(
                    Integer.parseInt(field[0]),
                    Long.parseLong(field[1].replace(".", "")),
                    Long.parseLong(field[2].replace(".", "")),
                    field[3].equals("yes"));
        });
    }

    public boolean hasStarted() {
        return start() != null;
    }

    private @Nullable String start() {
        if (start == null) {
            start = read("start").orElse(null);
        }
        return start;
    }

    /** Whether the wrapper, which records the end, is running: same process id, start time and boot. */
    public boolean isWrapperRunning() {
        return Optional.ofNullable(start())
                .map(line -> line.split(" "))
                .filter(field -> field[2].equals(BOOT))
                .flatMap(field -> Stat.of(Long.parseLong(field[0]))
                        .filter(stat -> stat.startTicks == Long.parseLong(field[1]) && stat.state != 'Z'))
                .isPresent();
    }

    /** Claims the session, so that a wrapper that has not started yet will not run it; false if the wrapper was first. */
    public boolean claim() {
        try {
            Files.createFile(folder.resolve("claimed"));
            return true;
        } catch (final FileAlreadyExistsException e) {
            return false;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Signals the processes of the session.
     *
     * @param name without SIG
     * @param withLeader whether to signal the session leader too, which enforces the time limit
     * @return whether there was a process to signal
     */
    public boolean signal(final String name, final boolean withLeader) {
        final Optional<Long> session = read("session").map(Long::parseLong);
        if (session.isEmpty()) {
            return false;
        }
        final List<String> reached = new ArrayList<>();
        // A process may fork meanwhile, so repeat until no new process is found, at most a few times.
        for (int look = 0; look < 5; look++) {
            final List<String> fresh = members(session.get()).stream()
                    .filter(pid -> withLeader || pid != session.get().longValue())
                    .map(Object::toString)
                    .filter(pid -> !reached.contains(pid))
                    .toList();
            if (fresh.isEmpty()) {
                break;
            }
            kill(name, fresh);
            reached.addAll(fresh);
        }
        return !reached.isEmpty();
    }

    private void kill(final String signal, final List<String> pids) {
        final List<String> argv = new ArrayList<>(prefix);
        if (prefix.isEmpty()) {
            argv.addAll(List.of("bash", "-c", "kill -s \"$0\" -- \"$@\"", signal));
            argv.addAll(pids);
        } else {
            argv.addAll(List.of(signal, read("session").orElse("0"))); // the helper finds the processes
        }
        try {
            final Process kill = new ProcessBuilder(argv)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // A non-zero exit code only means that a process had already ended.
            kill.waitFor(10, TimeUnit.SECONDS);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Long> members(final long session) {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> Character.isDigit(name.charAt(0)))
                    .map(Long::parseLong)
                    .filter(pid ->
                            Stat.of(pid).filter(stat -> stat.session == session).isPresent())
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last {@code cap} bytes of the session's log, with output of the program and its wrapper. */
    public String log(final int cap) {
        try (SeekableByteChannel channel = Files.newByteChannel(folder.resolve("log"))) {
            channel.position(Math.max(0, channel.size() - cap));
            final byte[] tail = Channels.newInputStream(channel).readNBytes(cap);
            return new String(tail, StandardCharsets.UTF_8);
        } catch (final NoSuchFileException e) {
            return "";
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The end of the log on one line, for error messages. */
    public String logTail() {
        return CommandResult.onOneLine(log(500), "; ");
    }

    /** A line of the wrapper; empty before the wrapper has written the whole line. */
    private Optional<String> read(final String file) {
        return text(folder.resolve(file)).filter(text -> text.endsWith("\n")).map(String::strip);
    }

    private static Optional<String> text(final Path file) {
        if (!Files.exists(file)) {
            return Optional.empty(); // cheaper than an exception, and most files are missing at most polls
        }
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (final NoSuchFileException e) {
            return Optional.empty();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fields of {@code /proc/<pid>/stat}, see proc(5), parsed from the last parenthesis because the command name may contain some. */
    private record Stat(char state, long session, long startTicks) {

        static Optional<Stat> of(final long pid) {
            final @Nullable String line = line(pid);
            if (line == null) {
                return Optional.empty();
            }
            final String[] field = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return Optional.of(new Stat(field[0].charAt(0), Long.parseLong(field[3]), Long.parseLong(field[19])));
        }

        private static @Nullable String line(final long pid) {
            try {
                return Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            } catch (final IOException e) {
                // The process has ended since the listing (ENOENT or ESRCH).
                return null;
            }
        }
    }
}
