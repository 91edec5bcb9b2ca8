/**
 * Virtual clusters under quotas.
 *
 * <p>Decides nothing itself: quota-service's own planner does, whom a reclaim takes and who is held; here its plans are carried out. Starts are first
 * fit in the order of the planner's priorities. Announces starts and cuts to the virtual cluster.
 */
@NullMarked
package io.millrace.simulator.quota;

import org.jspecify.annotations.NullMarked;
