package io.millrace.submit.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.NearestName;
import java.util.Collection;
import java.util.List;

/** Describes a name that no cluster of the site has. */
public final class UnknownCluster {

    private UnknownCluster() {}

    /** @return such as {@code unknown cluster 'betta'; did you mean 'beta'? Known clusters: alpha, beta} */
    public static String text(final ClusterId cluster, final Collection<ClusterId> known) {
        final List<String> names = known.stream().map(ClusterId::value).sorted().toList();
        return "unknown cluster '" + cluster + "'"
                + NearestName.of(cluster.value(), names)
                        .map(found -> "; did you mean '" + found + "'? Known clusters: ")
                        .orElse("; known clusters: ")
                + String.join(", ", names);
    }
}
