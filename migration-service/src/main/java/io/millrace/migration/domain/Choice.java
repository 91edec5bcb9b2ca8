package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import java.util.List;

/** Where a waiting job should run. */
sealed interface Choice {

    /** Here; {@code why} gives the figures. */
    record At(ClusterId cluster, String why) implements Choice {}

    /** Nowhere now; what stands against each cluster that was asked. */
    record NotNow(List<Veto> vetoes) implements Choice {}

    /** Nowhere, ever, as it stands. */
    record Never(String because) implements Choice {}
}
