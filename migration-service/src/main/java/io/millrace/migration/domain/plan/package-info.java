/**
 * Where waiting jobs run: a pure function of the {@link io.millrace.migration.domain.plan.PlanView}, the policy and the time, from scratch
 * in every pass. Answers of clusters are shared between equal requests within a pass, and nothing is kept after it.
 *
 * <p>A new veto is one line in {@link io.millrace.migration.domain.plan.TargetChoice} and its entry in the catalogue of codes.
 */
@NullMarked
package io.millrace.migration.domain.plan;

import org.jspecify.annotations.NullMarked;
