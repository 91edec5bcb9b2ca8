/**
 * The pure core of classification: the classes of a job.
 *
 * <p>Implements primary classification by the characteristic function chi (Bychkov, Oparin, Feoktistov, Korsukov, "Distribution of jobs
 * in the integrated cluster system on the basis of their classification", 2013, section 1). Ranks, weights and history, which choose
 * among several classes, are not implemented yet. No I/O, no clock.
 */
@NullMarked
package io.millrace.classifier.domain;

import org.jspecify.annotations.NullMarked;
