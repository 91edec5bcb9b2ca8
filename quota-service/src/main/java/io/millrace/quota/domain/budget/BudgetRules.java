package io.millrace.quota.domain.budget;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.quota.domain.quota.GroupMemberships;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The budgets of a site.
 *
 * @param zone whose calendar counts
 * @param grants by subject, several calendars each
 * @param byDefault of each user who has no budget of their own
 * @param members who is in which group
 * @param closeAfter how long behind its end a period is closed
 */
public record BudgetRules(
        ZoneId zone,
        Tariff tariff,
        Map<BudgetHolder, List<BudgetGrant>> grants,
        List<BudgetGrant> byDefault,
        GroupMemberships members,
        Duration closeAfter) {

    /** A week: what an agent that was away over a holiday has to tell still comes in time. */
    public static final Duration CLOSE_AFTER = Duration.ofDays(7);

    /** Nobody has a budget; what runs cost is booked all the same. */
    public static final BudgetRules NONE =
            new BudgetRules(ZoneId.of("UTC"), Tariff.FLAT, Map.of(), List.of(), GroupMemberships.NONE, CLOSE_AFTER);

    public BudgetRules {
        grants = Map.copyOf(grants);
        byDefault = List.copyOf(byDefault);
        if (closeAfter.isNegative()) {
            throw new IllegalArgumentException("a period cannot be closed before its end: " + closeAfter);
        }
    }

    public boolean isSome() {
        return !grants.isEmpty() || !byDefault.isEmpty();
    }

    /** Whether any budget ends running jobs once it is spent. */
    public boolean cancelRunning() {
        return Stream.concat(grants.values().stream().flatMap(List::stream), byDefault.stream())
                .anyMatch(BudgetGrant::cancelsRunning);
    }

    /** A budget that a job draws on. */
    record ApplicableBudget(BudgetHolder holder, BudgetGrant grant) {}

    /** those of its user (else the default), of its project and of every group above either; all of them count. */
    List<ApplicableBudget> applicableTo(final UserName user, final @Nullable ProjectName project) {
        final List<ApplicableBudget> drawn = new ArrayList<>();
        for (final BudgetHolder subject : holders(user, project)) {
            final boolean own = subject.kind() == BudgetHolder.Kind.USER;
            grants.getOrDefault(subject, own ? byDefault : List.of())
                    .forEach(grant -> drawn.add(new ApplicableBudget(subject, grant)));
        }
        return drawn;
    }

    /** Whose sums a run of this user for this project counts in. */
    List<BudgetHolder> holders(final UserName user, final @Nullable ProjectName project) {
        final List<BudgetHolder> subjects = new ArrayList<>();
        subjects.add(BudgetHolder.user(user));
        if (project != null) {
            subjects.add(BudgetHolder.project(project));
        }
        members.of(user, project).stream().map(BudgetHolder::group).forEach(subjects::add);
        return subjects;
    }

    /** When time alone changes what budgets allow: the next midnight of the site; empty without budgets. */
    public Optional<Instant> nextChange(final Instant now) {
        return isSome()
                ? Optional.of(LocalDate.ofInstant(now, zone)
                        .plusDays(1)
                        .atStartOfDay(zone)
                        .toInstant())
                : Optional.empty();
    }

    /** The periods that {@code now} lies in, and the ones before them: all that any rule looks at. */
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
