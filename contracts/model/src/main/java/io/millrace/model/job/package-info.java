/**
 * Global jobs: what was submitted to Millrace, and its way through the clusters.
 *
 * <p>Submissions are written by submit-service, the state of a global job by migration-service alone. A job and its attempts
 * are kept apart: a moved or preempted attempt is not a failed job.
 */
@NullMarked
package io.millrace.model.job;

import org.jspecify.annotations.NullMarked;
