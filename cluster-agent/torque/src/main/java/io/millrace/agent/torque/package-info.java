/**
 * The adapter for Torque (2.x to 6.x) and OpenPBS 2.3. OpenPBS 20 and later is PBS Pro, see the adapter {@code pbspro}.
 *
 * <p>{@link io.millrace.agent.torque.Torque} combines {@code query} (jobs, queues, nodes, server), {@code command} (submit, hold, start,
 * requeue, signal, checkpoint) and {@code accounting} (how runs ended). The comment of a job, which only operators can write, marks
 * Millrace's holds. A directed cluster has {@code scheduling = False}.
 */
@NullMarked
package io.millrace.agent.torque;

import org.jspecify.annotations.NullMarked;
