/**
 * Experiments: many runs of many policies on many logs, as tables and charts.
 *
 * <p>Reads workload logs of a folder. Writes a page of tables with the command that generates it; the same logs give the same page.
 */
@NullMarked
package io.millrace.lab.planners.experiment;

import org.jspecify.annotations.NullMarked;
