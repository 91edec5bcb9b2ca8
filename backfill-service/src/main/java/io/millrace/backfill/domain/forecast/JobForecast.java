package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.Veto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a waiting job can be told.
 *
 * @param place in the order, from 1
 * @param start when it should start at the latest if nobody comes before it; null if that cannot be foreseen
 * @param reason one sentence without figures that pass
 * @param vetoes what stands against a start now, with the figures of this moment
 */
public record JobForecast(QueuedJob job, int place, @Nullable ShadowTime start, String reason, List<Veto> vetoes) {}
