package io.millrace.submit.domain;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeighedTerm;
import java.util.List;
import java.util.Map;

/** A job that waits, and the right by which it does. */
public record WaitingJob(JobObserved job, Entitlement entitlement) {

    public List<WeighedTerm> terms() {
        return entitlement.terms() == null ? List.of() : entitlement.terms();
    }

    /** The same job if these terms weighed otherwise; those not named weigh as they do. */
    WaitingJob weighing(final Map<PriorityTerm, Integer> weights) {
        return new WaitingJob(
                job,
                entitlement.weighed(terms().stream()
                        .map(term -> term.weighing(weights.getOrDefault(term.term(), term.weight())))
                        .toList()));
    }
}
