package io.millrace.quota.domain.budget;

import io.millrace.model.ClusterId;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.PeriodKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The closed periods of a cluster's ledger. A closed period stays closed, whatever the clock of another instance shows. */
final class ClosedPeriods {

    private final ClusterId cluster;
    private final BudgetRules rules;
    private final Map<PeriodKind, Instant> closedUntil = new EnumMap<>(PeriodKind.class);

    ClosedPeriods(final ClusterId cluster, final BudgetRules rules) {
        this.cluster = cluster;
        this.rules = rules;
    }

    /** Applies a closing from the log. */
    void replayed(final LedgerClosed closed) {
        closedUntil.merge(PeriodKind.of(closed.period()), closed.periodEnd(), ClosedPeriods::later);
    }

    /** Closes all periods whose end plus {@code close-after} has passed. */
    List<LedgerClosed> close(final Instant now) {
        final List<LedgerClosed> closings = new ArrayList<>();
        for (final PeriodKind calendar : PeriodKind.values()) {
            final BudgetPeriod last = BudgetPeriod.of(calendar, now.minus(rules.closeAfter()), rules.zone())
                    .previous();
            final Instant until = last.end(rules.zone());
            if (isBefore(closedUntil.get(calendar), until)) {
                closedUntil.put(calendar, until);
                closings.add(new LedgerClosed(cluster, last.label(), until, now));
            }
        }
        return closings;
    }

    /** whether a period that contains this instant is closed, so that a run that ended then is charged later. */
    boolean isClosed(final Instant ended, final Instant now) {
        return Arrays.stream(PeriodKind.values())
                .map(calendar -> BudgetPeriod.of(calendar, ended, rules.zone()))
                .anyMatch(period -> isClosed(period, now));
    }

    private boolean isClosed(final BudgetPeriod period, final Instant now) {
        final Instant end = period.end(rules.zone());
        return !end.plus(rules.closeAfter()).isAfter(now) || !isBefore(closedUntil.get(period.calendar()), end);
    }

    /** The week, month and year that contain an instant. */
    List<String> periods(final Instant at) {
        return Arrays.stream(PeriodKind.values())
                .map(calendar -> BudgetPeriod.of(calendar, at, rules.zone()).label())
                .toList();
    }

    private static boolean isBefore(final @Nullable Instant until, final Instant end) {
        return until == null || until.isBefore(end);
    }

    private static Instant later(final Instant one, final Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
