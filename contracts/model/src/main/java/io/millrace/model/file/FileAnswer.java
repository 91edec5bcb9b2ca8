package io.millrace.model.file;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;

/**
 * The answer of an agent to a {@link FileRequest}.
 *
 * @param request id of the request
 */
public record FileAnswer(String request, ClusterId cluster, FileResult result) implements Event {

    @Override
    public String key() {
        return cluster.value();
    }
}
