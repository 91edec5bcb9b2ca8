package io.millrace.classifier.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.millrace.log.ModelJson;
import io.millrace.model.cluster.RunEnded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs of a history file that {@code ./millrace history import} has written. */
final class ImportedRuns {

    private static final Logger LOG = LoggerFactory.getLogger(ImportedRuns.class);

    private ImportedRuns() {}

    /** Lines that are not runs are counted and logged. @throws UncheckedIOException if the file cannot be read */
    static void read(final Path file, final Consumer<RunEnded> learner) {
        final ObjectReader json = ModelJson.lenient().readerFor(RunEnded.class);
        long unreadable = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                try {
                    learner.accept(json.readValue(line));
                } catch (final JsonProcessingException e) {
                    unreadable++;
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    file + " cannot be read (" + e + "): correct millrace.classifier.history-file, or unset it", e);
        }
        if (unreadable > 0) {
            LOG.warn("skipped {} lines of {} that are not ended runs", unreadable, file);
        }
    }
}
