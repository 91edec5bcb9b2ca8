package io.millrace.model.transfer;

import io.millrace.model.TransferId;
import org.jspecify.annotations.Nullable;

/**
 * How far a copy has come, as rsync reports it.
 *
 * @param bytes of the files that this copy has transferred; those that were at the destination before do not count
 * @param percent of the bytes of the whole tree
 * @param secondsLeft at the present rate; null: unknown
 */
public record CopyProgress(
        TransferId transfer,
        long bytes,
        int percent,
        long bytesPerSecond,
        @Nullable Long secondsLeft) {}
