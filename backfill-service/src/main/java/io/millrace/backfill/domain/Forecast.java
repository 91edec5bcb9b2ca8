package io.millrace.backfill.domain;

import io.millrace.model.Veto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a waiting job can be told.
 *
 * @param place in the order, from 1
 * @param start when it should start at the latest if nobody comes before it; null if that cannot be foreseen
 * @param why one sentence without figures that pass
 * @param vetoes what stands against a start now, with the figures of this moment
 */
public record Forecast(QueuedJob job, int place, @Nullable ShadowTime start, String why, List<Veto> vetoes) {}
