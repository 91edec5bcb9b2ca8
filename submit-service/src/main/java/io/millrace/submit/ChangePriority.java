package io.millrace.submit;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.Request.PriorityAsked;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.Position;
import io.millrace.submit.domain.Refused;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Asks quota-service for other rules of priority, based on a version that the asker has seen. */
@ApplicationScoped
public class ChangePriority {

    /** Only operators change the rules, and try what would change: that shows everybody's jobs. */
    public static final String WHAT = "other priorities";

    private static final Logger LOG = Logger.getLogger(ChangePriority.class);
    private static final int MAX_REASON = 1000;

    private final EventLog log;
    private final ShowPriorities priorities;
    private final AwaitProjection projection;
    private final Clock clock;

    ChangePriority(
            final EventLog log, final ShowPriorities priorities, final AwaitProjection projection, final Clock clock) {
        this.log = log;
        this.priorities = priorities;
        this.projection = projection;
        this.clock = clock;
    }

    public record Asked(PriorityAsked request, Position at) {}

    /**
     * @param basedOn version of the rules the asker has seen, 0 for none
     * @throws Refused if the caller is no operator, the version is not in force any more, or no reason is given
     */
    public Asked change(
            final Caller caller, final PriorityRules rules, final @Nullable String reason, final long basedOn) {
        caller.mustBeOperator(WHAT);
        final long version = priorities.rules().version();
        if (version != basedOn) {
            throw new Refused(
                    Refused.Kind.OUTDATED,
                    "the rules of priority have version " + version + ", not " + basedOn
                            + ": read them again and decide anew");
        }
        if (reason == null || reason.isBlank() || reason.length() > MAX_REASON) {
            throw Refused.invalid("reason", "must say why, in 1 to " + MAX_REASON + " characters");
        }
        final PriorityAsked request = new PriorityAsked(
                rules, caller.user(), reason.strip(), basedOn, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        final Position at = log.put(request);
        LOG.infof("priorities asked for: by=%s", caller.user());
        projection.passed(at);
        return new Asked(request, at);
    }
}
