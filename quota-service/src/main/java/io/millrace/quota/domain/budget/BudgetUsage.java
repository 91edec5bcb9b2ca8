package io.millrace.quota.domain.budget;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.QuotaHolder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The charges of all clusters by budget holder. Kept per cluster and merged; no lock across clusters. */
public final class BudgetUsage {

    private record PeriodOf(QuotaHolder subject, String period) {}

    private final BudgetRules rules;
    private final Map<String, Charges> byKey = new HashMap<>();
    private final Map<PeriodOf, ProcessorTime> spent = new HashMap<>();
    private final Map<QuotaHolder, ProcessorTime> reserved = new HashMap<>();

    public BudgetUsage(final BudgetRules rules) {
        this.rules = rules;
    }

    /** Applies the newest charges of a user and project on a cluster; returns whether they changed. */
    public boolean put(final Charges charges) {
        final Charges before = byKey.put(charges.key(), charges);
        if (charges.equals(before)) {
            return false;
        }
        if (before != null) {
            count(before, -1);
        }
        count(charges, 1);
        return true;
    }

    /** Returns whether the key was present. */
    public boolean remove(final String key) {
        final Charges before = byKey.remove(key);
        if (before != null) {
            count(before, -1);
        }
        return before != null;
    }

    ProcessorTime spent(final QuotaHolder subject, final BudgetPeriod period) {
        return spent.getOrDefault(new PeriodOf(subject, period.label()), ProcessorTime.NONE);
    }

    ProcessorTime reserved(final QuotaHolder subject) {
        return reserved.getOrDefault(subject, ProcessorTime.NONE);
    }

    private void count(final Charges charges, final int sign) {
        final UserName user = charges.user();
        final @Nullable ProjectName project = charges.project();
        for (final QuotaHolder subject : rules.holders(user, project)) {
            merge(reserved, subject, charges.reserved(), sign);
            charges.spent().forEach(one -> merge(spent, new PeriodOf(subject, one.period()), one.amount(), sign));
        }
    }

    private static <K> void merge(
            final Map<K, ProcessorTime> sums, final K key, final ProcessorTime more, final int sign) {
        final ProcessorTime before = sums.getOrDefault(key, ProcessorTime.NONE);
        final ProcessorTime after = sign > 0 ? before.plus(more) : before.minus(more);
        if (after.isNone()) {
            sums.remove(key);
        } else {
            sums.put(key, after);
        }
    }
}
