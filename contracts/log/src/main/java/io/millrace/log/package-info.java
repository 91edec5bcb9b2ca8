/**
 * The log: how events are written on Kafka and read back, which topics there are, and the one loop that every decider runs in.
 *
 * <p>The loop reads the configured topics, folds them into a {@link io.millrace.log.Decider}, and commits its decisions together with the
 * offsets they are based on, in one transaction. Unreadable messages go to a dead-letter topic with the reason.
 */
@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;
