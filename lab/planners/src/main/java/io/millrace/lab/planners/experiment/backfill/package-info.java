/** Backfill policies on workload logs. */
@NullMarked
package io.millrace.lab.planners.experiment.backfill;

import org.jspecify.annotations.NullMarked;
