package io.millrace.submit.domain.policy;

import io.millrace.model.JobKey;
import io.millrace.model.policy.EntitlementLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The waiting jobs of one cluster in the order of their priority, and what other rules would make of it. */
public final class JobRanking {

    /**
     * A job's place.
     *
     * @param rank from 1
     * @param then the same job by the rules tried
     * @param thenRank its place then
     */
    public record Ranked(WaitingJob now, int rank, WaitingJob then, int thenRank) {}

    /** Who is held starts last; larger priorities go first, among equals the earlier submission. */
    private static final Comparator<WaitingJob> ORDER = Comparator.comparing(
                    (WaitingJob job) -> job.entitlement().level() == EntitlementLevel.HELD)
            .thenComparing(Comparator.comparingLong(
                            (WaitingJob job) -> job.entitlement().priority())
                    .reversed())
            .thenComparing(job -> job.job().job(), JobKey.BY_SUBMISSION);

    private JobRanking() {}

    /** In the order of now. */
    public static List<Ranked> of(final List<WaitingJob> jobs, final PriorityPreview tried) {
        final List<WaitingJob> now = jobs.stream().sorted(ORDER).toList();
        final List<WaitingJob> then = jobs.stream().map(tried::of).sorted(ORDER).toList();
        final Map<JobKey, Integer> places = new HashMap<>();
        for (final WaitingJob job : then) {
            places.put(job.job().job(), places.size());
        }
        final List<Ranked> ranked = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            final int place = Objects.requireNonNull(places.get(now.get(i).job().job()), "the same jobs");
            ranked.add(new Ranked(now.get(i), i + 1, then.get(place), place + 1));
        }
        return ranked;
    }
}
