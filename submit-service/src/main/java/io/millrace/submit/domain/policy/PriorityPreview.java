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

/** What rules that are tried would make of the waiting jobs of one cluster. */
public final class PriorityPreview {

    private final PreviewRules trial;
    private final PriorityRules then;
    private final Set<PartitionName> partitions;
    private final Function<JobKey, List<String>> classes;
    private final Instant now;

    /**
     * @param partitions that the cluster has
     * @param classes of a job; empty if it has none
     */
    public PriorityPreview(
            final PreviewRules trial,
            final PriorityRules inForce,
            final Set<PartitionName> partitions,
            final Function<JobKey, List<String>> classes,
            final Instant now) {
        this.trial = trial;
        this.then = trial.on(inForce);
        this.partitions = partitions;
        this.classes = classes;
        this.now = now;
    }

    /** The same job, as it would wait then. Who has no terms comes last for a used-up budget, whatever the rules. */
    WaitingJob of(final WaitingJob job) {
        if (trial.isEmpty() || job.entitlement().terms() == null) {
            return job;
        }
        final Entitlement weighed = job.entitlement().weighed(terms(job));
        return new WaitingJob(job.job(), weighed.reaching(reach(job.job(), weighed)));
    }

    private List<WeightedTerm> terms(final WaitingJob job) {
        final Map<PriorityTerm, WeightedTerm> terms = new EnumMap<>(PriorityTerm.class);
        job.terms()
                .forEach(term -> terms.put(
                        term.term(), term.weighing(trial.weights().getOrDefault(term.term(), term.weight()))));
        trial.anew().forEach(term -> {
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
            case ENTITLEMENT, SIZE, USE, BUDGET -> throw new IllegalArgumentException("no rule finds " + term + " otherwise");
        };
    }

    /** Q-70; a job that is held may not start at all. */
    private List<PartitionName> reach(final JobObserved job, final Entitlement weighed) {
        return weighed.level() == EntitlementLevel.HELD
                ? List.of()
                : then.opened(job.job(), job.partition(), weighed.priority()).stream()
                        .filter(partitions::contains)
                        .toList();
    }
}
