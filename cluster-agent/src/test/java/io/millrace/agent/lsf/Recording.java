package io.millrace.agent.lsf;

import io.millrace.agent.wlm.CommandResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A command line of a running OpenLava 4.0.0, recorded: {@code $ command}, standard output, {@code [stderr]} and standard error if any,
 * {@code exit=N}.
 */
record Recording(String name, String command, CommandResult result) {

    private static final String FOLDER = "/lsf/openlava-4.0.0/";
    private static final String DOCUMENTED = "/lsf/documented/";

    static Recording of(final String name) {
        return of(FOLDER, name);
    }

    /** Not recorded: written after the documentation of LSF 10.1. */
    static Recording documented(final String name) {
        return of(DOCUMENTED, name);
    }

    private static Recording of(final String folder, final String name) {
        try (InputStream stream =
                Objects.requireNonNull(Recording.class.getResourceAsStream(folder + name + ".txt"), name)) {
            return read(name, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Recording> all() {
        try (Stream<Path> files = Files.list(Path.of(
                Objects.requireNonNull(Recording.class.getResource(FOLDER)).toURI()))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".txt"))
                    .sorted()
                    .map(name -> of(name.substring(0, name.length() - 4)))
                    .toList();
        } catch (final IOException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static Recording read(final String name, final String text) {
        final int end = text.lastIndexOf("exit=");
        final int first = text.indexOf('\n');
        final String said = text.substring(first + 1, end);
        final int error = said.startsWith("[stderr]\n") ? 0 : said.indexOf("\n[stderr]\n") + 1;
        final boolean complains = said.startsWith("[stderr]\n") || error > 0;
        return new Recording(
                name,
                text.substring(2, first),
                CommandResult.of(
                        Integer.parseInt(text.substring(end + 5).strip()),
                        complains ? said.substring(0, error) : said,
                        complains ? said.substring(error + "[stderr]\n".length()) : ""));
    }
}
