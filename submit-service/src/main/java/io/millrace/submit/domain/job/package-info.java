/**
 * Job requests and their validation, job views, and the evidence that explains a job's state. Pure.
 *
 * <p>Decides: whether a request is a valid job, and which clusters could run it.
 */
@NullMarked
package io.millrace.submit.domain.job;

import org.jspecify.annotations.NullMarked;
