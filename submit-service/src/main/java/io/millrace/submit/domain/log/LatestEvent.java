package io.millrace.submit.domain.log;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The newest event of a key on a compacted topic.
 *
 * @param about the job, user or cluster that it says something about
 * @param written when its record was written
 */
public record LatestEvent(String about, @Nullable ClusterId cluster, Instant written, Event event) {

    /** Which key of which topic. */
    public record Key(Topic topic, String key) {}
}
