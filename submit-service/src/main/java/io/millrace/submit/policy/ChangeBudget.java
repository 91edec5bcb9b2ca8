package io.millrace.submit.policy;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Request.BudgetRequested;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.ReasonText;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.policy.BudgetBalances;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests a change of a budget and limit of processor time from quota-service, based on a version that the caller has read. */
@ApplicationScoped
public class ChangeBudget {

    /** Only operators change or preview budgets, because a preview shows the jobs of all users. */
    public static final String WHAT = "changing or previewing a budget";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeBudget.class);

    private final EventPublisher log;
    private final ShowBudgets budgets;
    private final WaitForProjection projection;
    private final Clock clock;

    ChangeBudget(
            final EventPublisher log,
            final ShowBudgets budgets,
            final WaitForProjection projection,
            final Clock clock) {
        this.log = log;
        this.budgets = budgets;
        this.projection = projection;
        this.clock = clock;
    }

    /**
     * A requested budget.
     *
     * @param holder null: the default of users
     */
    public record BudgetChange(
            @Nullable QuotaHolder holder,
            List<BudgetGrant> grants,
            @Nullable Long limitCoreSeconds) {}

    public record Accepted(BudgetRequested request, LogPosition position) {}

    /**
     * @param basedOn version of the budget that the caller has read, 0 for none
     * @throws RequestRefused if the caller is not an operator, the version is outdated, or a value is invalid
     */
    public Accepted change(
            final Caller caller, final BudgetChange change, final @Nullable String reason, final long basedOn) {
        caller.requireOperator(WHAT);
        requireValid(change);
        return publish(caller, change.holder(), change.grants(), change.limitCoreSeconds(), reason, basedOn);
    }

    /** Requests that the files, or the default, apply to the holder again. */
    public Accepted remove(
            final Caller caller,
            final @Nullable QuotaHolder holder,
            final @Nullable String reason,
            final long basedOn) {
        caller.requireOperator(WHAT);
        if (budgets.balances().set(holder).isEmpty()) {
            throw RequestRefused.notFound("budget of " + name(holder) + " not found");
        }
        return publish(caller, holder, null, null, reason, basedOn);
    }

    /** The waiting jobs that would be held by a change and are not held by what is in force, oldest first. */
    public List<JobObserved> preview(final Caller caller, final BudgetChange change) {
        caller.requireOperator(WHAT);
        requireValid(change);
        final BudgetBalances now = budgets.balances();
        final BudgetSet wanted = new BudgetSet(
                change.holder(),
                change.grants(),
                change.limitCoreSeconds(),
                now.sets().stream()
                        .findFirst()
                        .map(BudgetSet::zone)
                        .orElseGet(() -> ZoneId.systemDefault().getId()),
                caller.user(),
                "preview",
                clock.instant(),
                1);
        return now.newlyHeld(wanted, budgets.waiting());
    }

    private void requireValid(final BudgetChange change) {
        try {
            BudgetSet.requireSane(change.holder(), change.grants(), change.limitCoreSeconds());
        } catch (final IllegalArgumentException e) {
            throw RequestRefused.invalid(
                    change.limitCoreSeconds() == null ? "budgets" : "limitCoreHours", String.valueOf(e.getMessage()));
        }
        if (change.holder() != null
                && change.holder().kind() == QuotaHolder.Kind.GROUP
                && !budgets.isGroup(change.holder())) {
            throw RequestRefused.notFound(
                    change.holder().named() + " not found; add it under 'groups:' in the quota file");
        }
    }

    private Accepted publish(
            final Caller caller,
            final @Nullable QuotaHolder holder,
            final @Nullable List<BudgetGrant> grants,
            final @Nullable Long limitCoreSeconds,
            final @Nullable String reason,
            final long basedOn) {
        final long version =
                budgets.balances().set(holder).map(BudgetSet::version).orElse(0L);
        if (version != basedOn) {
            throw new RequestRefused(
                    RequestRefused.Kind.OUTDATED,
                    "the budget of " + name(holder) + " has version " + version + ", not " + basedOn
                            + "; read the current version and retry");
        }
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final BudgetRequested request = new BudgetRequested(
                holder, grants, limitCoreSeconds, caller.user(), ReasonText.required(reason), basedOn, now);
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("budget", request.key())
                .addKeyValue("decision", grants == null ? "remove" : "set")
                .addKeyValue("user", request.author())
                .addKeyValue("reason", request.reason())
                .log("budget change requested");
        projection.passed(at);
        return new Accepted(request, at);
    }

    private static String name(final @Nullable QuotaHolder holder) {
        return holder == null ? "the default" : holder.named();
    }
}
