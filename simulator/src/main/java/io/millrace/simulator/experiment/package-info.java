/**
 * Experiments: many runs of many policies on many logs, as tables and charts.
 *
 * <p>Decides nothing. Reads workload logs of a folder. Announces a page of tables with the command that made it; the same logs give the same page.
 */
@NullMarked
package io.millrace.simulator.experiment;

import org.jspecify.annotations.NullMarked;
