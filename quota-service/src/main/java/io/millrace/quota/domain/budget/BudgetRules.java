package io.millrace.quota.domain.budget;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.quota.GroupMemberships;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The budgets of the site.
 *
 * @param zone time zone of the periods
 * @param grants by holder; one per period kind
 * @param byDefault of each user without an own budget
 * @param members the groups of each user and project
 * @param closeAfter time between the end of a period and its closing
 */
public record BudgetRules(
        ZoneId zone,
        Tariff tariff,
        Map<QuotaHolder, List<BudgetGrant>> grants,
        List<BudgetGrant> byDefault,
        GroupMemberships members,
        Duration closeAfter) {

    /** A week, so that the runs of an agent that was down over a holiday are still in time. */
    public static final Duration CLOSE_AFTER = Duration.ofDays(7);

    /** No budgets; runs are charged all the same. */
    public static final BudgetRules NONE =
            new BudgetRules(ZoneId.of("UTC"), Tariff.FLAT, Map.of(), List.of(), GroupMemberships.NONE, CLOSE_AFTER);

    public BudgetRules {
        grants = Map.copyOf(grants);
        byDefault = List.copyOf(byDefault);
        if (closeAfter.isNegative()) {
            throw new IllegalArgumentException("close-after cannot be negative: " + closeAfter);
        }
    }

    /** These budgets, with those that are on the log in place of those of the same holders. */
    public BudgetRules with(final Collection<BudgetSet> sets) {
        final Map<QuotaHolder, List<BudgetGrant>> all = new HashMap<>(grants);
        List<BudgetGrant> others = byDefault;
        for (final BudgetSet set : sets) {
            if (set.holder() == null) {
                others = set.grants();
            } else if (set.grants().isEmpty()) {
                all.remove(set.holder());
            } else {
                all.put(set.holder(), set.grants());
            }
        }
        return new BudgetRules(zone, tariff, all, others, members, closeAfter);
    }

    public boolean isSome() {
        return !grants.isEmpty() || !byDefault.isEmpty();
    }

    /** Whether any budget cancels running jobs once it is spent. */
    public boolean cancelRunning() {
        return Stream.concat(grants.values().stream().flatMap(List::stream), byDefault.stream())
                .anyMatch(BudgetGrant::cancelsRunning);
    }

    /** A budget that a job draws on. */
    record ApplicableBudget(QuotaHolder holder, BudgetGrant grant) {}

    /** the budgets of the user (else the default), the project and all groups above both. */
    List<ApplicableBudget> applicableTo(final UserName user, final @Nullable ProjectName project) {
        if (!isSome()) {
            return List.of();
        }
        final List<ApplicableBudget> drawn = new ArrayList<>();
        for (final QuotaHolder subject : holders(user, project)) {
            final boolean own = subject.kind() == QuotaHolder.Kind.USER;
            grants.getOrDefault(subject, own ? byDefault : List.of())
                    .forEach(grant -> drawn.add(new ApplicableBudget(subject, grant)));
        }
        return drawn;
    }

    /** The holders whose sums include a run of this user for this project. */
    List<QuotaHolder> holders(final UserName user, final @Nullable ProjectName project) {
        final List<QuotaHolder> subjects = new ArrayList<>();
        subjects.add(QuotaHolder.of(user));
        if (project != null) {
            subjects.add(QuotaHolder.of(project));
        }
        members.of(user, project).stream()
                .map(group -> new QuotaHolder(QuotaHolder.Kind.GROUP, group))
                .forEach(subjects::add);
        return subjects;
    }

    /** When budgets change without an event: the next midnight of the site; empty without budgets. */
    public Optional<Instant> nextChange(final Instant now) {
        return isSome()
                ? Optional.of(LocalDate.ofInstant(now, zone)
                        .plusDays(1)
                        .atStartOfDay(zone)
                        .toInstant())
                : Optional.empty();
    }

    /** The current periods and the previous ones: all that the rules need. */
    Set<String> remembered(final Instant now) {
        final Set<String> labels = new TreeSet<>();
        for (final PeriodKind calendar : PeriodKind.values()) {
            final BudgetPeriod current = BudgetPeriod.of(calendar, now, zone);
            labels.add(current.label());
            labels.add(current.previous().label());
        }
        return labels;
    }
}
