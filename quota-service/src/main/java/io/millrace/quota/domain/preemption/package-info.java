/**
 * Which running jobs can be preempted, in which order, by which mode, and how often: rules.
 *
 * <p>Policies and the jobs they apply to. Chooses no victims; {@code reclaim} does.
 */
@NullMarked
package io.millrace.quota.domain.preemption;

import org.jspecify.annotations.NullMarked;
