/** Estimates of run times, and clusters chosen by class. */
@NullMarked
package io.millrace.lab.planners.experiment.classification;

import org.jspecify.annotations.NullMarked;
