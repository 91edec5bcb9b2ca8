package io.millrace.agent.pbspro;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** {@code pbs.conf}: the locations of PBS on this host. */
public record PbsConf(Map<String, String> settings) {

    public PbsConf {
        settings = Map.copyOf(settings);
    }

    /** Reads the file. If it does not exist, there are no settings: programs are found by PATH or by the agent's own settings. */
    public static PbsConf read(final Path file) {
        final Map<String, String> settings = new HashMap<>();
        try {
            if (Files.isReadable(file)) {
                for (final String line : Files.readAllLines(file)) {
                    final int equals = line.indexOf('=');
                    if (equals > 0 && !line.strip().startsWith("#")) {
                        settings.put(
                                line.substring(0, equals).strip(),
                                line.substring(equals + 1).strip().replaceAll("^[\"']|[\"']$", ""));
                    }
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read " + file + "; check millrace.agent.pbs.conf-file", e);
        }
        return new PbsConf(settings);
    }

    /** The settings of a remote host, whose files cannot be read: programs are found there or by the agent's own settings. */
    public static PbsConf ofAnotherHost() {
        return new PbsConf(Map.of());
    }

    public Optional<Path> programs() {
        return path("PBS_EXEC").map(folder -> folder.resolve("bin")).filter(Files::isDirectory);
    }

    public Optional<Path> accounting() {
        return path("PBS_HOME").map(home -> home.resolve("server_priv").resolve("accounting"));
    }

    private Optional<Path> path(final String name) {
        return Optional.ofNullable(settings.get(name))
                .filter(text -> text.startsWith("/"))
                .map(Path::of);
    }
}
