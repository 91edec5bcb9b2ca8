/**
 * The protocol: topics with their keys and retention, and the event types of each.
 *
 * <p>The two tables here are the single place where a topic or a type gets its name; AsyncAPI, topic creation and the codec follow them.
 */
@NullMarked
package io.millrace.model.protocol;

import org.jspecify.annotations.NullMarked;
