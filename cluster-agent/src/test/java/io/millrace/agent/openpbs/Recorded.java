package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.CommandResult;
import io.millrace.model.ClusterId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What was written down of a running Torque 6: {@code $ command}, standard output, {@code [stderr]} and standard error, {@code exit=N}. */
record Recorded(String file, String command, CommandResult result) {

    static final TorqueSite SITE = new TorqueSite(
            ClusterId.of("vm"),
            null,
            null,
            Path.of("/var/spool/torque/server_priv/accounting"),
            ZoneOffset.UTC,
            Path.of("/var/lib/millrace/tags"),
            false);

    /** @param number the first three figures of its file */
    static Recorded of(final String number) {
        return all().stream()
                .filter(one -> one.file.startsWith(number + "-"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing recorded under " + number));
    }

    static List<Recorded> all() {
        try (Stream<Path> files = Files.list(Path.of(
                Objects.requireNonNull(Recorded.class.getResource("/torque")).toURI()))) {
            return files.map(path -> path.getFileName().toString())
                    .sorted()
                    .map(Recorded::read)
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Recorded read(final String file) {
        try (InputStream stream = Objects.requireNonNull(Recorded.class.getResourceAsStream("/torque/" + file))) {
            final String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            final int output = text.indexOf('\n') + 1;
            final int exit = text.lastIndexOf("exit=");
            final String said = text.substring(output, exit);
            final int error = said.startsWith("[stderr]\n") ? 0 : said.indexOf("\n[stderr]\n") + 1;
            final boolean complained = said.startsWith("[stderr]\n") || error > 0;
            return new Recorded(
                    file,
                    text.substring(2, output - 1),
                    CommandResult.of(
                            Integer.parseInt(text.substring(exit + 5).strip()),
                            complained ? said.substring(0, error) : said,
                            complained ? said.substring(error + "[stderr]\n".length()) : ""));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String output() {
        return result.outputText();
    }
}
