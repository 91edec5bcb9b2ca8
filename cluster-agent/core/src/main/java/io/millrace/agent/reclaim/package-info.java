/** Executes a reclaim: preempts the victims, starts the beneficiary on their cores, and releases the victims. */
@NullMarked
package io.millrace.agent.reclaim;

import org.jspecify.annotations.NullMarked;
