/**
 * The laboratory of the planners: experiments, benchmarks, and checks of schedules and quota plans, on the simulator's virtual clusters.
 *
 * <p>No module of the product depends on it.
 */
@NullMarked
package io.millrace.lab.planners;

import org.jspecify.annotations.NullMarked;
