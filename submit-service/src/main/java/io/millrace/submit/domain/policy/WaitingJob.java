package io.millrace.submit.domain.policy;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.WeightedTerm;
import java.util.List;

/** A waiting job and its entitlement. */
public record WaitingJob(JobObserved job, Entitlement entitlement) {

    public List<WeightedTerm> terms() {
        return entitlement.terms() == null ? List.of() : entitlement.terms();
    }
}
