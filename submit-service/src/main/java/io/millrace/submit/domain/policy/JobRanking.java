package io.millrace.submit.domain.policy;

import io.millrace.model.JobKey;
import io.millrace.model.policy.EntitlementLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The waiting jobs of one cluster ordered by priority, under the current rules and under preview rules. */
public final class JobRanking {

    /**
     * The rank of a job.
     *
     * @param rank current rank, from 1
     * @param preview the same job under the preview rules
     * @param previewRank its rank under the preview rules
     */
    public record Ranked(WaitingJob current, int rank, WaitingJob preview, int previewRank) {}

    /** Held jobs last; then by descending priority, then by submission time. */
    private static final Comparator<WaitingJob> ORDER = Comparator.comparing(
                    (WaitingJob job) -> job.entitlement().level() == EntitlementLevel.HELD)
            .thenComparing(Comparator.comparingLong(
                            (WaitingJob job) -> job.entitlement().priority())
                    .reversed())
            .thenComparing(job -> job.job().job(), JobKey.BY_SUBMISSION);

    private JobRanking() {}

    /** Ranks jobs; the result is in the current order. */
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
