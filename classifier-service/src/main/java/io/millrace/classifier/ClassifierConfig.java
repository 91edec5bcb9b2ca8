package io.millrace.classifier;

import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.file.ModelFile;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The settings of classifier-service. */
@ConfigMapping(prefix = "millrace.classifier")
public interface ClassifierConfig {

    /** The six classes of the paper, shipped with the service. */
    String SHIPPED = "/model.yaml";

    /** YAML file with the site's characteristics and classes; without it, the six classes of the ISDCT paper. Read at start; a model that was set by a request takes precedence. */
    Optional<Path> modelFile();

    /** Ended runs of this period are read again at start: they are the history of the classification and of the run time estimates. */
    @WithDefault("90d")
    Duration history();

    /** File with ended runs that './millrace history import' wrote; read at start. Unset: none. */
    Optional<Path> historyFile();

    /** Quantile of the runs of similar jobs that is published as expected run time; above 0, at most 1. A larger one underestimates fewer jobs. */
    @WithDefault("0.65")
    double estimateQuantile();

    /** @throws IllegalArgumentException if the file is missing or wrong; the service then does not start */
    default String model() {
        return modelFile().map(ClassifierConfig::text).orElseGet(ClassifierConfig::shippedText);
    }

    private static String text(final Path file) {
        ModelFile.read(file);
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ClassModel shipped() {
        return ModelFile.parse(SHIPPED, shippedText());
    }

    static String shippedText() {
        try (InputStream in = ClassifierConfig.class.getResourceAsStream(SHIPPED)) {
            if (in == null) {
                throw new IllegalStateException(SHIPPED + " is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
