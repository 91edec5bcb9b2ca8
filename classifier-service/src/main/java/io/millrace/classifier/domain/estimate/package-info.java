/**
 * Estimates of run times.
 *
 * <p>Decides how long a job is expected to run, from the ended runs of jobs of the same class, user and program. {@link
 * io.millrace.classifier.domain.estimate.LastTwoRuns} is the baseline from the literature.
 */
@NullMarked
package io.millrace.classifier.domain.estimate;

import org.jspecify.annotations.NullMarked;
