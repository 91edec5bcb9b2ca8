package io.millrace.model;

import org.jspecify.annotations.Nullable;

/** An event on the log. It is self-contained: a reader needs no other message to understand it. */
public interface Event {

    /** The record key; on a compacted topic the newest event of a key replaces the older ones. */
    String key();

    /** The cluster that determines the partition; null if the topic is not keyed by cluster. */
    default @Nullable ClusterId cluster() {
        return null;
    }
}
