package io.millrace.agent.session;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Starts sessions. The two wrapper scripts are kept in a folder that every owner can read. */
public final class Sessions {

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Path bin;

    /** @param bin folder for the wrapper scripts; created if missing */
    public Sessions(final Path bin) {
        this.bin = bin;
        folder(bin, "rwxr-xr-x");
        List.of("run-session", "become").forEach(this::unpack);
    }

    /**
     * Creates the folder of a session and the file with its environment variables, without starting it. The file need not be on disk: what
     * ends the machine ends the session, too.
     */
    public Session prepare(final Path folder, final Program program) {
        folder(folder, "rwx------");
        try {
            Files.write(folder.resolve("environment"), program.input());
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write to " + folder, e);
        }
        return new Session(folder);
    }

    /** The command line that starts a prepared session. */
    public List<String> argv(final Path folder, final Program program) {
        final List<String> argv = new ArrayList<>(List.of(
                "setsid",
                "bash",
                bin.resolve("run-session").toString(),
                folder.toString(),
                Long.toString(program.limit().toMillis()),
                program.directory(),
                program.output(),
                program.baseEnvironment().word()));
        argv.addAll(program.prefix().stream().filter(word -> !word.equals("--")).toList());
        argv.add("--");
        argv.addAll(program.argv());
        return argv;
    }

    /** The command line of {@code become}, for the helper. */
    public static List<String> become(
            final String directory,
            final String output,
            final Program.BaseEnvironment environment,
            final List<String> program) {
        final List<String> argv = new ArrayList<>(
                List.of("bash", "-c", script("become"), "become", directory, output, environment.word()));
        argv.addAll(program);
        return argv;
    }

    /** Starts a prepared session. */
    public Session launch(final Path folder, final Program program) {
        final ProcessBuilder builder = new ProcessBuilder(argv(folder, program))
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", PATH);
        try {
            builder.start();
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot start a session: are bash and setsid (util-linux) installed?", e);
        }
        return new Session(folder, program.prefix());
    }

    static void folder(final Path path, final String rights) {
        try {
            Files.createDirectories(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot create " + path + ": the agent must own this folder", e);
        }
    }

    private void unpack(final String name) {
        DiskFile.write(bin.resolve(name), script(name).getBytes(StandardCharsets.UTF_8), "rwxr-xr-x");
    }

    static String script(final String name) {
        try (InputStream source = Objects.requireNonNull(Sessions.class.getResourceAsStream(name), name)) {
            return new String(source.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
