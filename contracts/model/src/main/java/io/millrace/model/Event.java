package io.millrace.model;

import org.jspecify.annotations.Nullable;

/** Anything that stands on the log. Sufficient by itself: a reader needs no other message to understand it. */
public interface Event {

    /** The record key; on a compacted topic the newest event of a key replaces the older ones. */
    String key();

    /** The cluster whose partition carries the event; null where the topic is not keyed by cluster. */
    default @Nullable ClusterId cluster() {
        return null;
    }
}
