package io.millrace.agent.wlm;

import io.millrace.agent.exec.CommandResult;
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
 * A command line and what a running workload manager answered: {@code $ command}, standard output, {@code [stderr]} and standard error if
 * any, {@code exit=N}.
 *
 * @param file its name, with its ending
 */
public record Transcript(String file, String command, CommandResult result) {

    private static final String ERROR = "[stderr]\n";
    private static final String EXIT = "exit=";

    /** @param folder among the tests' resources, with slashes around */
    public static Transcript of(final String folder, final String file) {
        try (InputStream stream =
                Objects.requireNonNull(Transcript.class.getResourceAsStream(folder + file), folder + file)) {
            return read(file, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All of a folder, by name. */
    public static List<Transcript> all(final String folder) {
        try (Stream<Path> files = Files.list(Path.of(
                Objects.requireNonNull(Transcript.class.getResource(folder)).toURI()))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".txt"))
                    .sorted()
                    .map(name -> of(folder, name))
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param number the first three figures of its file */
    public static Transcript numbered(final String folder, final String number) {
        return all(folder).stream()
                .filter(one -> one.file.startsWith(number + "-"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing recorded under " + number));
    }

    public static Transcript read(final String file, final String text) {
        final int output = text.indexOf('\n') + 1;
        final int exit = text.lastIndexOf(EXIT);
        final String said = text.substring(output, exit);
        final int error = said.startsWith(ERROR) ? 0 : said.indexOf("\n" + ERROR) + 1;
        final boolean complained = said.startsWith(ERROR) || error > 0;
        return new Transcript(
                file,
                text.substring(2, output - 1),
                CommandResult.of(
                        Integer.parseInt(text.substring(exit + EXIT.length()).strip()),
                        complained ? said.substring(0, error) : said,
                        complained ? said.substring(error + ERROR.length()) : ""));
    }

    public String output() {
        return result.outputText();
    }

    /** The program, of a command line that is one command. */
    public String program() {
        return command.split("\\s")[0];
    }
}
