/**
 * The adapter for PBS Pro and OpenPBS (one code base, versions 14 to 23).
 *
 * <p>{@link io.millrace.agent.pbspro.PbsPro} combines {@code query} (jobs, queues, nodes, server), {@code command} (submit, hold, start,
 * requeue, checkpoint, soft limits) and {@code accounting} (how runs ended). Reports which capabilities the installation does not support,
 * and the command that enables each.
 */
@NullMarked
package io.millrace.agent.pbspro;

import org.jspecify.annotations.NullMarked;
