/**
 * Submissions: job requests, their validation, and the clusters that could run them. Pure.
 *
 * <p>Decides: whether a request is a valid job, and whether a cluster can ever run it.
 */
@NullMarked
package io.millrace.submit.domain.submission;

import org.jspecify.annotations.NullMarked;
