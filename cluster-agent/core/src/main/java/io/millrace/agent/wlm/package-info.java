/**
 * The port to a workload manager, and how its command lines are run.
 *
 * <p>{@link io.millrace.agent.wlm.WorkloadManager} is what every adapter can do; what else one can do it says by implementing a
 * capability interface ({@link io.millrace.agent.wlm.capability.Starting}, {@link io.millrace.agent.wlm.capability.Holding}…). Expected trouble comes back
 * as a value that names the command and the remedy; broken machinery is an exception. Nothing here knows Kafka or decides anything.
 */
@NullMarked
package io.millrace.agent.wlm;

import org.jspecify.annotations.NullMarked;
