/**
 * The port to a workload manager.
 *
 * <p>An adapter is a {@link io.millrace.agent.wlm.WorkloadManager}: a map from roles, the interfaces of {@link io.millrace.agent.wlm.capability},
 * to parts. An expected failure is returned as
 * a value that names the command and the remedy; broken infrastructure is an exception. The port is independent of Kafka and takes no
 * decisions.
 */
@NullMarked
package io.millrace.agent.wlm;

import org.jspecify.annotations.NullMarked;
