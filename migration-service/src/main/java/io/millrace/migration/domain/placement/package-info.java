/** Where a waiting job runs: the vetoes of each cluster, and the choice among the others. */
@NullMarked
package io.millrace.migration.domain.placement;

import org.jspecify.annotations.NullMarked;
