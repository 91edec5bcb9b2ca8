/**
 * Forecasts for waiting jobs: place in the order, predicted start, and the reason why the job waits.
 *
 * <p>Decides which plans have changed enough to be published again.
 * Reads the planner's state after a pass. Publishes {@code Plan} events.
 */
@NullMarked
package io.millrace.backfill.domain.forecast;

import org.jspecify.annotations.NullMarked;
