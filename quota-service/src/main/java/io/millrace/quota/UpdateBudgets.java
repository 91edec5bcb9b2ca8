package io.millrace.quota;

import io.millrace.decide.Changes;
import io.millrace.model.UserName;
import io.millrace.model.policy.Request.BudgetRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Use case: the only writer of budgets and limits of processor time. Q-75: merges the files once, then answers requests; what a request has set
 * for a holder replaces all that the files say about it, until it is removed. Not thread-safe: one deciding loop owns it.
 */
public final class UpdateBudgets {

    private static final Logger LOG = LoggerFactory.getLogger(UpdateBudgets.class);

    private final BudgetRules budgets;
    private final ProcessorHourLimits limits;
    private final Map<String, BudgetSet> inForce = new TreeMap<>();
    private final List<BudgetRequested> requested = new ArrayList<>();
    private boolean hasDecided;

    /** Of the files of the site. */
    public UpdateBudgets(final BudgetRules budgets, final ProcessorHourLimits limits) {
        this.budgets = budgets;
        this.limits = limits;
    }

    /** Applies what is in force, during replay. */
    public void replayed(final BudgetSet set) {
        if (!hasDecided) {
            inForce.put(set.key(), set);
        }
    }

    public void replayedRemoval(final String key) {
        if (!hasDecided) {
            inForce.remove(key);
        }
    }

    public void requested(final BudgetRequested request) {
        requested.add(request);
    }

    /** Adds what changes to {@code changes}. */
    public void decide(final Instant now, final Changes changes) {
        if (!hasDecided) {
            hasDecided = true;
            merge(now, changes);
        }
        requested.forEach(request -> answer(request, now, changes));
        requested.clear();
    }

    private void merge(final Instant now, final Changes changes) {
        final Map<String, BudgetSet> file = file(now);
        file.forEach((key, line) -> {
            final BudgetSet before = inForce.get(key);
            if (before == null || isFromFile(before) && !isSame(before, line)) {
                put(version(line, before == null ? 1 : before.version() + 1), changes);
            } else if (!isFromFile(before) && !isSame(before, line)) {
                LOG.warn("Lines of the files ignored, because a request has set another budget: budget={}", key);
            }
        });
        inForce.values().stream()
                .filter(set -> isFromFile(set) && !file.containsKey(set.key()))
                .toList()
                .forEach(set -> remove(set, changes));
    }

    private static boolean isFromFile(final BudgetSet set) {
        return set.author().equals(QuotaFileMerge.FILE);
    }

    private static boolean isSame(final BudgetSet one, final BudgetSet other) {
        return one.grants().equals(other.grants())
                && Optional.ofNullable(one.limitCoreSeconds()).equals(Optional.ofNullable(other.limitCoreSeconds()))
                && one.zone().equals(other.zone());
    }

    /** What the files say, by key. */
    private Map<String, BudgetSet> file(final Instant now) {
        final Map<String, BudgetSet> lines = new HashMap<>();
        final Map<@Nullable QuotaHolder, Long> limited = new HashMap<>();
        limits.users().forEach((user, core_s) -> limited.put(QuotaHolder.of(user), core_s));
        limits.groups().forEach((group, core_s) -> limited.put(new QuotaHolder(QuotaHolder.Kind.GROUP, group), core_s));
        limits.byDefault().ifPresent(core_s -> limited.put(null, core_s));
        final Map<@Nullable QuotaHolder, List<BudgetGrant>> granted = new HashMap<>(budgets.grants());
        if (!budgets.byDefault().isEmpty()) {
            granted.put(null, budgets.byDefault());
        }
        limited.forEach((holder, core_s) -> granted.putIfAbsent(holder, List.of()));
        granted.forEach((holder, grants) -> {
            final BudgetSet line = new BudgetSet(
                    holder,
                    grants,
                    limited.get(holder),
                    budgets.zone().getId(),
                    QuotaFileMerge.FILE,
                    "from the files",
                    now,
                    1);
            lines.put(line.key(), line);
        });
        return lines;
    }

    private static BudgetSet version(final BudgetSet set, final long version) {
        return new BudgetSet(
                set.holder(),
                set.grants(),
                set.limitCoreSeconds(),
                set.zone(),
                set.author(),
                set.reason(),
                set.changedAt(),
                version);
    }

    private void answer(final BudgetRequested request, final Instant now, final Changes changes) {
        final BudgetSet before = inForce.get(request.key());
        final Optional<String> flaw = flaw(request, before);
        if (flaw.isPresent()) {
            LOG.info(
                    "Budget change refused: budget={} decision=refused author={} reason={}",
                    request.key(),
                    request.author(),
                    flaw.get());
            return;
        }
        if (request.grants() != null) {
            put(
                    new BudgetSet(
                            request.holder(),
                            request.grants(),
                            request.limitCoreSeconds(),
                            budgets.zone().getId(),
                            request.author(),
                            request.reason(),
                            request.requestedAt(),
                            request.basedOn() + 1),
                    changes);
        } else if (before != null) {
            final BudgetSet line = file(now).get(request.key());
            if (line == null) {
                remove(before, changes);
            } else {
                put(version(line, before.version() + 1), changes);
            }
        }
    }

    private Optional<String> flaw(final BudgetRequested request, final @Nullable BudgetSet before) {
        final long version = before == null ? 0 : before.version();
        if (request.basedOn() != version) {
            return Optional.of("the request is based on version " + request.basedOn() + ", but version " + version
                    + (before == null ? "" : " (by " + before.author() + ")")
                    + " is in force; read the current version and retry");
        }
        if (request.grants() == null && (before == null || isFromFile(before))) {
            return Optional.of(
                    "no request has set this budget; remove its lines from the files and restart" + " quota-service");
        }
        final QuotaHolder holder = request.holder();
        return holder != null
                        && holder.kind() == QuotaHolder.Kind.GROUP
                        && !budgets.members().hasMembers(holder.name())
                ? Optional.of(
                        "group '" + holder.name() + "' has no members; add them under 'groups:' in the quota file")
                : Optional.empty();
    }

    private void put(final BudgetSet set, final Changes changes) {
        inForce.put(set.key(), set);
        changes.put(set);
        log(set, "granted");
    }

    private void remove(final BudgetSet set, final Changes changes) {
        inForce.remove(set.key());
        changes.remove(Topic.QUOTAS, List.of(set.key()), null);
        log(set, "removed");
    }

    private static void log(final BudgetSet set, final String decision) {
        final UserName author = set.author();
        LOG.info(
                "Budget changed: budget={} decision={} author={} version={} reason={}",
                set.key(),
                decision,
                author,
                set.version(),
                set.reason());
    }
}
