package io.millrace.classifier.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What is learned from ended jobs.
 *
 * @param history ended runs of this period are read from the log at start
 * @param importedRuns a file with earlier runs
 * @param estimateQuantile quantile of the runs of similar jobs that is published as expected run time
 */
record LearningSettings(Duration history, Optional<Path> importedRuns, double estimateQuantile) {}
