package io.millrace.backfill.domain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one planning pass decided.
 *
 * @param starts in the order in which they should happen
 * @param reservation of the first job that cannot start; null if there is none, or nobody may overtake anyway
 * @param waiting all others, in order
 */
public record Schedule(List<Start> starts, @Nullable Reservation reservation, List<QueuedJob> waiting) {}
