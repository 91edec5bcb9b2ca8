/**
 * The roles that a workload manager may have: one interface each.
 *
 * <p>An adapter offers a capability if its map has a part for the role. {@link io.millrace.agent.wlm.capability.Offer} subtracts what the
 * installation does not allow.
 */
@NullMarked
package io.millrace.agent.wlm.capability;

import org.jspecify.annotations.NullMarked;
