/** Backfill policies on workload logs. */
@NullMarked
package io.millrace.simulator.experiment.backfill;

import org.jspecify.annotations.NullMarked;
