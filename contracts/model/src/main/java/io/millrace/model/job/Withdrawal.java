package io.millrace.model.job;

import io.millrace.model.ClusterId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The decision to take an attempt back from its cluster. The next attempt follows when the end of the local job is confirmed.
 *
 * @param end how the attempt will have ended: MOVED, DRAINED or FENCED. Only FENCED ends a job that runs
 * @param decidedAt answers to a cancel before it do not count
 * @param towards the cluster that would start it earlier; its capacity is promised to the job meanwhile; null: none is chosen
 * @param bringsFiles whether its files, with a checkpoint of the application, are copied to the source cluster first
 */
public record Withdrawal(
        AttemptEnd end, Instant decidedAt, @Nullable ClusterId towards, boolean bringsFiles) {}
