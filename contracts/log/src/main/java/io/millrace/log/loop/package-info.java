/**
 * The one loop that every decider runs in.
 *
 * <p>The loop reads the configured topics, folds them into a {@link io.millrace.log.loop.Decider}, and commits its decisions together
 * with the offsets they are based on, in one transaction. A group membership gives each instance its shards; a restarted shard replays
 * the log up to the committed offsets before it decides.
 */
@NullMarked
package io.millrace.log.loop;

import org.jspecify.annotations.NullMarked;
