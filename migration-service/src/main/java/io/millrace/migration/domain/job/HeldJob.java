package io.millrace.migration.domain.job;

import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.HoldRequested;
import java.util.Objects;

/** Why a held global job does not start. */
public final class HeldJob {

    private HeldJob() {}

    /** @param job a job that is held */
    public static Veto veto(final GlobalJob job) {
        final HoldRequested hold = Objects.requireNonNull(job.hold());
        return job.holdKind() == HoldKind.USER
                ? VetoCode.HELD_BY_USER.veto(
                        "held by its owner (" + hold.reason() + "); release it with: mgrelease " + job.id())
                : VetoCode.HELD_BY_OPERATOR.veto("held by operator '" + hold.by() + "' (" + hold.reason()
                        + "); only an operator can release it");
    }
}
