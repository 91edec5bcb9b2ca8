/**
 * Which running jobs are preempted so that a waiting job within quota can start (rules ).
 *
 * <p>Plans reclaims, resumes suspended victims, and records why a reclaim is not possible.
 */
@NullMarked
package io.millrace.quota.domain.reclaim;

import org.jspecify.annotations.NullMarked;
