/** Quotas with preemption against hard limits, and limits of processor time. */
@NullMarked
package io.millrace.lab.planners.experiment.quota;

import org.jspecify.annotations.NullMarked;
