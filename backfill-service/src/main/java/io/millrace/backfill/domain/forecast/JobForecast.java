package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.Veto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forecast for a waiting job.
 *
 * @param place in the order, from 1
 * @param start the latest start if no job comes before it; null if not foreseeable
 * @param reason why it waits, as a sentence without numbers that change often
 * @param vetoes what prevents a start now, with current numbers
 */
public record JobForecast(
        QueuedJob job, int place, @Nullable ShadowTime start, String reason, List<Veto> vetoes) {}
