/**
 * Campaigns on a running stack: measurements of the control plane, proofs of single promises, and faults.
 *
 * <p>Acts as users do, with the means of the demonstration ({@code io.millrace.story}). No module of the product depends on it.
 */
@NullMarked
package io.millrace.lab.campaigns;

import org.jspecify.annotations.NullMarked;
