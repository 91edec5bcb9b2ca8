package io.millrace.submit.domain.policy;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeightedTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Computes priorities of the waiting jobs of one cluster under preview rules. */
public final class PriorityPreview {

    private final PreviewRules preview;
    private final PriorityRules then;
    private final Set<PartitionName> partitions;
    private final Function<JobKey, List<String>> classes;
    private final Instant now;

    /**
     * @param partitions of the cluster
     * @param classes classes of a job; empty if it has none
     */
    public PriorityPreview(
            final PreviewRules preview,
            final PriorityRules inForce,
            final Set<PartitionName> partitions,
            final Function<JobKey, List<String>> classes,
            final Instant now) {
        this.preview = preview;
        this.then = preview.appliedTo(inForce);
        this.partitions = partitions;
        this.classes = classes;
        this.now = now;
    }

    /** The job under the preview rules. A job without terms has an exhausted budget and stays last under any rules. */
    WaitingJob of(final WaitingJob job) {
        if (preview.isEmpty() || job.entitlement().terms() == null) {
            return job;
        }
        final Entitlement weighed = job.entitlement().weighed(terms(job));
        return new WaitingJob(job.job(), weighed.withOtherPartitions(otherPartitions(job.job(), weighed)));
    }

    private List<WeightedTerm> terms(final WaitingJob job) {
        final Map<PriorityTerm, WeightedTerm> terms = new EnumMap<>(PriorityTerm.class);
        job.terms()
                .forEach(term -> terms.put(
                        term.term(), term.weighing(preview.weights().getOrDefault(term.term(), term.weight()))));
        preview.recomputedTerms().forEach(term -> {
            final WeightedTerm published = terms.remove(term);
            final int factor_percent = factor_percent(term, job.job());
            if (factor_percent > 0) {
                final int weight = published == null ? then.weight(term) : published.weight();
                terms.put(term, new WeightedTerm(term, factor_percent, weight));
            }
        });
        return List.copyOf(terms.values());
    }

    private int factor_percent(final PriorityTerm term, final JobObserved job) {
        return switch (term) {
            case AGE -> then.age_percent(Duration.between(job.job().submittedAt(), now));
            case CLASS -> then.class_percent(classes.apply(job.job()));
            case URGENCY -> then.urgency_percent(job.detail().qos());
            case PROJECT -> then.project_percent(job.project());
            case ENTITLEMENT, SIZE, USE, BUDGET ->
                throw new IllegalArgumentException("the factor of " + term + " does not depend on the rules");
        };
    }

    /** Q-70; a held job cannot start anywhere. */
    private List<PartitionName> otherPartitions(final JobObserved job, final Entitlement weighed) {
        return weighed.level() == EntitlementLevel.HELD
                ? List.of()
                : then.opened(job.job(), job.partition(), weighed.priority()).stream()
                        .filter(partitions::contains)
                        .toList();
    }
}
