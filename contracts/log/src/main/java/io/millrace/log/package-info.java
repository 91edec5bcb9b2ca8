/**
 * The log: how events are written on Kafka and read back, and which topics there are. {@link io.millrace.log.loop} decides on it.
 *
 * <p>Unreadable messages go to a dead-letter topic with the reason.
 */
@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;
