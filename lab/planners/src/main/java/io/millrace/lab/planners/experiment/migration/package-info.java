/** Clusters joined by migration against isolated clusters. */
@NullMarked
package io.millrace.lab.planners.experiment.migration;

import org.jspecify.annotations.NullMarked;
