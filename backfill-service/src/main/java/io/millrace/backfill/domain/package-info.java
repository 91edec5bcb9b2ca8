/**
 * What starts when: the pure core of backfill-service, also run by the simulator.
 *
 * <p>Packages, each may use those before it: {@code job}, {@code capacity}, {@code planner}, {@code forecast}, {@code live}.
 * All times are whole seconds since the epoch unless a name ends otherwise.
 */
@NullMarked
package io.millrace.backfill.domain;

import org.jspecify.annotations.NullMarked;
