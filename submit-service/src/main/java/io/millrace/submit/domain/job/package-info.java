/**
 * Stored jobs, selections of them, and the evidence that explains a job's state. Pure.
 *
 * <p>Decides: how the progress of a job is shown.
 */
@NullMarked
package io.millrace.submit.domain.job;

import org.jspecify.annotations.NullMarked;
