/**
 * The log: how events are written on Kafka and read back, which topics there are, and the one loop that every decider runs in.
 *
 * <p>The loop decides nothing itself. It reads the topics it is told to, folds them into a {@link io.millrace.log.Decider}, and commits
 * what that says together with the offsets it was said on, in one transaction. What nobody can understand goes to a dead-letter
 * topic with its reason.
 */
@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;
