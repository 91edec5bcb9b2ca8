/**
 * Quotas that Slurm enforces itself (UPQPP, paper 1, 1.2.3): one QoS per user, limited to the user's cores, may preempt jobs of a common
 * QoS.
 *
 * <p>{@link io.millrace.agent.slurm.qos.UserQos} sets limits and moves pending jobs between the two;
 * {@link io.millrace.agent.slurm.qos.QosChanges} decides which changes in slurmdbd are needed.
 */
@NullMarked
package io.millrace.agent.slurm.qos;

import org.jspecify.annotations.NullMarked;
