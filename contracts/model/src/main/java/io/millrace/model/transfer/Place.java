package io.millrace.model.transfer;

import io.millrace.model.ClusterId;
import org.jspecify.annotations.Nullable;

/**
 * A directory on a cluster.
 *
 * @param host where the files can be reached by ssh; null means on the agent's own host
 * @param path absolute
 */
public record Place(ClusterId cluster, @Nullable String host, String path) {

    public Place {
        if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'" + path + "' is not an absolute path");
        }
    }

    @Override
    public String toString() {
        return cluster + ":" + path;
    }
}
