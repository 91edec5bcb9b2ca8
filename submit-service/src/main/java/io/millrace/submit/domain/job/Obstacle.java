package io.millrace.submit.domain.job;

import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.policy.Plan;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The veto that decides first why a job waits. */
public final class Obstacle {

    private Obstacle() {}

    /**
     * That of the service that decides first: quota before backfill before migration. Of several clusters, one that may change by
     * itself is named rather than one that never accepts the job.
     */
    public static Optional<Veto> of(final List<Plan> plans) {
        return plans.stream()
                .filter(plan -> !plan.vetoes().isEmpty())
                .min(Comparator.comparing(Plan::issuer))
                .flatMap(plan -> plan.vetoes().stream().min(Comparator.comparing(Veto::permanent)));
    }

    /** What its owner or an operator can do; empty for a code of a newer release. */
    public static Optional<String> remedy(final Veto veto) {
        return VetoCode.find(veto).map(VetoCode::remedy);
    }
}
