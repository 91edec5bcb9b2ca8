/**
 * The plan of one cluster. {@code QuotaPlanner.plan(view, policy, now)} is pure and plans from scratch; nothing is kept between calls.
 */
@NullMarked
package io.millrace.quota.domain.plan;

import org.jspecify.annotations.NullMarked;
