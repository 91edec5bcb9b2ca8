/**
 * Capabilities that a workload manager may offer beyond {@link io.millrace.agent.wlm.WorkloadManager}: one interface per capability.
 *
 * <p>An adapter offers a capability by implementing its interface. {@link io.millrace.agent.wlm.capability.Offer} subtracts what the
 * installation does not allow.
 */
@NullMarked
package io.millrace.agent.wlm.capability;

import org.jspecify.annotations.NullMarked;
