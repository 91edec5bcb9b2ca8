package io.millrace.submit;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.policy.KnownPartitions;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.PriorityRulesState;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Asks quota-service for other rules of priority, based on a version that the asker has seen. */
@ApplicationScoped
public class ChangePriority {

    /** Only operators change the rules, and try what would change: that shows everybody's jobs. */
    public static final String WHAT = "other priorities";

    private static final Logger LOG = Logger.getLogger(ChangePriority.class);
    private static final int MAX_REASON = 1000;

    private final EventPublisher log;
    private final ShowPriorities priorities;
    private final WaitForProjection projection;
    private final Clock clock;

    ChangePriority(
            final EventPublisher log, final ShowPriorities priorities, final WaitForProjection projection, final Clock clock) {
        this.log = log;
        this.priorities = priorities;
        this.projection = projection;
        this.clock = clock;
    }

    /** @param warnings what is allowed and perhaps not meant */
    public record Accepted(PriorityRulesRequested request, LogPosition at, List<String> warnings) {}

    /**
     * @param basedOn version of the rules the asker has seen, 0 for none
     * @throws RequestRefused if the caller is no operator, the version is not in force any more, no reason is given, or a partition
     *     that nobody has would be opened
     */
    public Accepted change(
            final Caller caller, final PriorityRules rules, final @Nullable String reason, final long basedOn) {
        caller.mustBeOperator(WHAT);
        final PriorityRulesState before = priorities.rules();
        final long version = before.version();
        if (version != basedOn) {
            throw new RequestRefused(
                    RequestRefused.Kind.OUTDATED,
                    "the rules of priority have version " + version + ", not " + basedOn
                            + ": read them again and decide anew");
        }
        if (reason == null || reason.isBlank() || reason.length() > MAX_REASON) {
            throw RequestRefused.invalid("reason", "must say why, in 1 to " + MAX_REASON + " characters");
        }
        final KnownPartitions known = priorities.partitions();
        known.mustHave(rules.openings(), before.rules().openings());
        final PriorityRulesRequested request = new PriorityRulesRequested(
                rules, caller.user(), reason.strip(), basedOn, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        final LogPosition at = log.put(request);
        LOG.infof("priorities asked for: by=%s", caller.user());
        projection.passed(at);
        return new Accepted(request, at, known.warnings(rules.openings()));
    }
}
