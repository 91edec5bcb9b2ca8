/** Clusters joined by migration against isolated clusters. */
@NullMarked
package io.millrace.simulator.experiment.migration;

import org.jspecify.annotations.NullMarked;
