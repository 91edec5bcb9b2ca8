package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import org.jspecify.annotations.Nullable;

/**
 * Cores that nobody may use for a while: maintenance, or a reservation made in advance.
 *
 * @param from_s when it begins, seconds since the epoch
 * @param until_s when it ends, likewise; {@link ShadowTime#NEVER} if that is open
 * @param partition whose cores; null: the whole cluster's
 * @param because what it is, as a waiting job is told
 */
public record Window(
        long from_s, long until_s, int cores, @Nullable PartitionName partition, String because) {

    public Window {
        if (cores < 1 || from_s >= until_s) {
            throw new IllegalArgumentException(
                    "window '" + because + "' needs cores and an end after its beginning; got " + cores + " cores from "
                            + from_s + " until " + until_s);
        }
    }
}
