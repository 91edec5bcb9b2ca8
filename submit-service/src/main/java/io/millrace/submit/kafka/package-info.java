/**
 * The log: read by one batched channel over all topics, written by a plain producer.
 *
 * <p>Decides: from where to read (the offsets stored beside the rows), which message is a dead letter. Reads: every topic, in one
 * consumer group over all instances. Announces: what the use cases put; dead letters with their reason.
 */
@NullMarked
package io.millrace.submit.kafka;

import org.jspecify.annotations.NullMarked;
