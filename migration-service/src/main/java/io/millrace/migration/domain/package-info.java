/**
 * The pure core of migration: what happens next to every global job.
 *
 * <p>Decides: the target of a waiting job ({@link io.millrace.migration.domain.TargetChoice}), its next state
 * ({@link io.millrace.migration.domain.GlobalJobLifecycle}) and the next command it needs ({@link io.millrace.migration.domain.JobSteps}).
 * Reads: submissions, global jobs, cluster state, commands and outcomes, ends, transfers. Announces: global jobs, commands,
 * requests and plans. No I/O, no clock: the instant comes as an argument, so that the simulator runs the same classes.
 */
@NullMarked
package io.millrace.migration.domain;

import org.jspecify.annotations.NullMarked;
