package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.Request.QuotaAsked;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.Position;
import io.millrace.submit.domain.Refused;
import io.millrace.submit.domain.ShownQuota;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Asks quota-service for another quota, based on a version that the asker has seen. */
@ApplicationScoped
public class ChangeQuota {

    private static final Logger LOG = Logger.getLogger(ChangeQuota.class);
    private static final int MAX_REASON = 1000;
    private static final int MAX_CORES = 100_000_000;

    private final EventLog log;
    private final ShowQuotas quotas;
    private final ReadModel model;
    private final AwaitProjection projection;
    private final Clock clock;

    ChangeQuota(
            final EventLog log,
            final ShowQuotas quotas,
            final ReadModel model,
            final AwaitProjection projection,
            final Clock clock) {
        this.log = log;
        this.quotas = quotas;
        this.model = model;
        this.projection = projection;
        this.clock = clock;
    }

    public record Asked(QuotaAsked request, Position at) {}

    /**
     * @param basedOn version of the quota the asker has seen, 0 for none
     * @throws Refused if the caller is no operator, the version is not in force any more, or the figures are wrong
     */
    public Asked change(
            final Caller caller,
            final ClusterId cluster,
            final UserName user,
            final @Nullable Integer cores,
            final @Nullable String reason,
            final long basedOn) {
        mustBeOperator(caller);
        if (!model.clusterNames().contains(cluster)) {
            throw Refused.notFound("there is no cluster '" + cluster + "'");
        }
        final ShownQuota shown = quotas.quota(cluster, user);
        final Quota inForce = shown.inForce();
        final long version = inForce == null ? 0 : inForce.version();
        if (version != basedOn) {
            throw new Refused(
                    Refused.Kind.OUTDATED,
                    "the quota of " + user + " on " + cluster + " has version " + version + ", not " + basedOn
                            + ": read it again and decide anew");
        }
        final QuotaAsked request = new QuotaAsked(
                user,
                cluster,
                cores(cores),
                caller.user(),
                reason(reason),
                basedOn,
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        final Position at = log.put(request);
        LOG.infof("quota asked for: user=%s cluster=%s cores=%d by=%s", user, cluster, cores, caller.user());
        projection.passed(at);
        return new Asked(request, at);
    }

    /** Only operators change quotas. */
    public static void mustBeOperator(final Caller caller) {
        if (!caller.operator()) {
            throw new Refused(
                    Refused.Kind.FORBIDDEN,
                    caller.user() + " is no operator: ask the operators of this site for another quota");
        }
    }

    private static int cores(final @Nullable Integer cores) {
        if (cores == null || cores < 0 || cores > MAX_CORES) {
            throw Refused.invalid("cores", "must be between 0 and " + MAX_CORES + ", got " + cores);
        }
        return cores;
    }

    private static String reason(final @Nullable String reason) {
        if (reason == null || reason.isBlank() || reason.length() > MAX_REASON) {
            throw Refused.invalid("reason", "must say why, in 1 to " + MAX_REASON + " characters");
        }
        return reason.strip();
    }
}
