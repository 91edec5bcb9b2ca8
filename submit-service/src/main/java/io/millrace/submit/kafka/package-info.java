/**
 * Kafka: a thread projects all topics, channels answer single records, plain clients write and serve the event handlers (ADR 15).
 *
 * <p>Decides: where to start reading (the offsets stored with the rows), which records are dead letters. Reads: every topic. Publishes:
 * events of the use cases; dead letters with their reason.
 *
 * <p>Instances form one consumer group and share one database: each partition is projected by one instance, and every instance answers
 * from all rows. Offsets of the group are not used. During a rebalance two instances may briefly process one partition; each
 * transaction locks the row of its offset, so every record counts once.
 */
@NullMarked
package io.millrace.submit.kafka;

import org.jspecify.annotations.NullMarked;
