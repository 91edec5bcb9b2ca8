/**
 * The pure core of classification: which classes a job belongs to.
 *
 * <p>Decides: primary classification by the characteristic function chi (Bychkov, Oparin, Feoktistov, Korsukov, "Distribution of jobs
 * in the integrated cluster system on the basis of their classification", 2013, section 1). Reads: observed jobs, submissions, global
 * jobs, what was said before. Announces: a classification when it is new or changed, and takes it off when the job has left. Ranks,
 * weights and history, which choose among several classes, are not decided here yet.
 */
@NullMarked
package io.millrace.classifier.domain;

import org.jspecify.annotations.NullMarked;
