/**
 * The pure core of migration: the next step of every global job.
 *
 * <p>Decides the target of a waiting job ({@link io.millrace.migration.domain.plan.TargetChoice}), its next state
 * ({@link io.millrace.migration.domain.job.GlobalJobLifecycle}) and the next command it needs ({@link io.millrace.migration.domain.attempt.JobSteps}).
 * No I/O and no clock: the instant is an argument, so the simulator can run the same classes.
 */
@NullMarked
package io.millrace.migration.domain;

import org.jspecify.annotations.NullMarked;
