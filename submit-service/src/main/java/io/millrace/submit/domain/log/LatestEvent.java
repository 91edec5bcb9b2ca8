package io.millrace.submit.domain.log;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The newest event of a key on a compacted topic.
 *
 * @param subject the job, user or cluster that the event is about
 * @param recordedAt timestamp of its record
 */
public record LatestEvent(String subject, @Nullable ClusterId cluster, Instant recordedAt, Event event) {

    /** A key of a topic. */
    public record Key(Topic topic, String key) {}
}
