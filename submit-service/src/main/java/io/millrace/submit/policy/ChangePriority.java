package io.millrace.submit.policy;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.ReasonText;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.policy.KnownPartitions;
import io.millrace.submit.domain.policy.PriorityRulesState;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests a change of the priority rules from quota-service, based on a version that the caller has read. */
@ApplicationScoped
public class ChangePriority {

    /** Only operators change or preview rules, because a preview shows the jobs of all users. */
    public static final String WHAT = "changing or previewing priority rules";

    private static final Logger LOG = LoggerFactory.getLogger(ChangePriority.class);

    private final EventPublisher log;
    private final ShowPriorities priorities;
    private final WaitForProjection projection;
    private final Clock clock;

    ChangePriority(
            final EventPublisher log,
            final ShowPriorities priorities,
            final WaitForProjection projection,
            final Clock clock) {
        this.log = log;
        this.priorities = priorities;
        this.projection = projection;
        this.clock = clock;
    }

    /** @param warnings possibly unintended effects of an accepted change */
    public record Accepted(PriorityRulesRequested request, LogPosition position, List<String> warnings) {}

    /**
     * @param basedOn version of the rules that the caller has read, 0 for none
     * @throws RequestRefused if the caller is not an operator, the version is outdated, the reason is missing, or an opened partition
     *     does not exist
     */
    public Accepted change(
            final Caller caller, final PriorityRules rules, final @Nullable String reason, final long basedOn) {
        caller.requireOperator(WHAT);
        final PriorityRulesState before = priorities.rules();
        final long version = before.version();
        if (version != basedOn) {
            throw new RequestRefused(
                    RequestRefused.Kind.OUTDATED,
                    "the priority rules have version " + version + ", not " + basedOn
                            + "; read the current version and retry");
        }
        final String why = ReasonText.required(reason);
        final KnownPartitions known = priorities.partitions();
        known.requireKnown(rules.overflowRules(), before.rules().overflowRules());
        final PriorityRulesRequested request = new PriorityRulesRequested(
                rules, caller.user(), why, basedOn, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("user", caller.user())
                .addKeyValue("reason", request.reason())
                .log("priority rules requested");
        projection.passed(at);
        return new Accepted(request, at, known.warnings(rules.overflowRules()));
    }
}
