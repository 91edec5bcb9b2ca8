package io.millrace.log;

import io.millrace.model.ClusterId;
import org.jspecify.annotations.Nullable;

/** An event was to be written to a topic of a cluster whose agent has never started, or whose topics were deleted. */
public final class NoSuchClusterException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    NoSuchClusterException(final String topicName, final @Nullable ClusterId cluster) {
        super("cluster '" + cluster + "' has no topic '" + topicName
                + "'; the agent of the cluster creates it when it starts");
    }
}
