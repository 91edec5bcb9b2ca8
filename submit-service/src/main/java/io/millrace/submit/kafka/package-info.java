/**
 * The log: read by one batched channel over all topics, written by a plain producer.
 *
 * <p>Decides: from where to read (the offsets stored beside the rows), which message is a dead letter. Reads: every topic. Announces:
 * what the use cases put; dead letters with their reason.
 *
 * <p>Several instances are one consumer group and share one database: each partition is projected by one of them, into the same rows,
 * and any of them answers from all rows. The group's own offsets are not used. For a moment two may hold one partition (one of them
 * does not know yet that it lost it); the row of its offset, locked by each transaction, lets every record count once.
 */
@NullMarked
package io.millrace.submit.kafka;

import org.jspecify.annotations.NullMarked;
