/**
 * The port to a workload manager.
 *
 * <p>Every adapter implements {@link io.millrace.agent.wlm.WorkloadManager}. It offers further capabilities by implementing the interfaces
 * of {@link io.millrace.agent.wlm.capability}, such as {@link io.millrace.agent.wlm.capability.Starting}. An expected failure is returned as
 * a value that names the command and the remedy; broken infrastructure is an exception. The port is independent of Kafka and takes no
 * decisions.
 */
@NullMarked
package io.millrace.agent.wlm;

import org.jspecify.annotations.NullMarked;
