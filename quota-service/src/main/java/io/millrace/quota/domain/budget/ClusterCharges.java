package io.millrace.quota.domain.budget;

import io.millrace.decide.ClusterView;
import io.millrace.decide.Published;
import io.millrace.decide.Published.Difference;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.Charges.Spent;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.ProcessorTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The charges of the runs of one cluster and the reservations of its running jobs. */
public final class ClusterCharges {

    /** Number of runs for which a repeated end is recognised. */
    private static final int REMEMBERED_RUNS = 2_000;

    private record Payer(UserName user, @Nullable ProjectName project) {}

    private final ClusterId cluster;
    private final BudgetRules rules;
    private final ClosedPeriods books;
    private final RunBilling settlement;
    private final Published<String, Charges> published = new Published<>(Charges::key);
    private final Map<Payer, Map<String, ProcessorTime>> spent = new LinkedHashMap<>();
    private final Set<String> booked = new LinkedHashSet<>();
    private final List<RunEnded> ended = new ArrayList<>();
    private Map<Payer, ProcessorTime> reserved = new HashMap<>();

    public ClusterCharges(final ClusterId cluster, final BudgetRules rules) {
        this.cluster = cluster;
        this.rules = rules;
        this.books = new ClosedPeriods(cluster, rules);
        this.settlement = new RunBilling(rules.tariff(), books);
    }

    /** Applies charges published earlier, during replay. */
    public void replayed(final Charges charges) {
        published.replay(charges.key(), charges);
        final Payer payer = new Payer(charges.user(), charges.project());
        final Map<String, ProcessorTime> sums = new TreeMap<>();
        charges.spent().forEach(one -> sums.put(one.period(), one.amount()));
        spent.put(payer, sums);
        reserved.put(payer, charges.reserved());
    }

    public void replayedRemoval(final String key) {
        published.replay(key, null);
        spent.keySet()
                .removeIf(payer -> key.equals(charges(payer, ProcessorTime.NONE).key()));
        reserved.keySet()
                .removeIf(payer -> key.equals(charges(payer, ProcessorTime.NONE).key()));
    }

    /** Adds an ended run, to be charged at the next decision. */
    public void ended(final RunEnded end) {
        ended.add(end);
    }

    /** Applies a closing from the log. */
    public void closed(final LedgerClosed closing) {
        books.replayed(closing);
    }

    /** Closes the periods that are due. Called after {@link #book}. */
    public List<LedgerClosed> close(final Instant now) {
        return books.close(now);
    }

    /** Applies an entry from the log: its run is charged. */
    public void booked(final String key) {
        if (booked.add(key) && booked.size() > REMEMBERED_RUNS) {
            booked.remove(booked.iterator().next());
        }
    }

    /**
     * Charges the runs that ended since the last call. A repeated end of the same run has no effect.
     *
     * @param classes of a job, also after it has left
     */
    public List<LedgerEntry> book(final Function<JobKey, List<String>> classes, final Instant now) {
        final List<LedgerEntry> entries = new ArrayList<>();
        for (final RunEnded end : ended) {
            settlement
                    .of(end, classes.apply(end.job()), now)
                    .filter(entry -> !booked.contains(entry.key()))
                    .ifPresent(entry -> {
                        booked(entry.key());
                        count(entry);
                        entries.add(entry);
                    });
        }
        ended.clear();
        return entries;
    }

    private void count(final LedgerEntry entry) {
        final Map<String, ProcessorTime> sums =
                spent.computeIfAbsent(new Payer(entry.user(), entry.project()), payer -> new TreeMap<>());
        entry.periods().forEach(period -> sums.merge(period, entry.cost(), ProcessorTime::plus));
    }

    /**
     * Computes the reservations of the running jobs of a closed revision.
     *
     * @param withBudgets whether there are any budgets
     */
    public void observed(
            final ClusterView view, final Function<JobKey, List<String>> classes, final boolean withBudgets) {
        if (withBudgets) {
            final BudgetReservations reservations = new BudgetReservations(rules.tariff(), view, classes);
            final Map<Payer, ProcessorTime> now = new HashMap<>();
            for (final JobObserved job : view.jobs()) {
                if (job.state().occupiesCores() || job.state() instanceof JobState.Suspended) {
                    reservations
                            .of(job)
                            .ifPresent(time ->
                                    now.merge(new Payer(job.owner(), job.project()), time, ProcessorTime::plus));
                }
            }
            reserved = now;
        }
    }

    /** Returns the changed sums and applies them to those of all clusters. */
    public Difference<String, Charges> publish(final BudgetUsage sums, final Instant now) {
        final Set<String> remembered = rules.remembered(now);
        spent.values().forEach(periods -> periods.keySet().retainAll(remembered));
        spent.values().removeIf(Map::isEmpty);
        final Set<Payer> payers = new LinkedHashSet<>(spent.keySet());
        payers.addAll(reserved.keySet());
        final Difference<String, Charges> difference = published.replaceAll(
                payers.stream()
                        .map(payer -> charges(payer, reserved.getOrDefault(payer, ProcessorTime.NONE)))
                        .filter(charges -> !charges.spent().isEmpty()
                                || !charges.reserved().isNone())
                        .toList(),
                Objects::equals);
        difference.put().forEach(sums::put);
        difference.removed().forEach(sums::remove);
        return difference;
    }

    private Charges charges(final Payer payer, final ProcessorTime held) {
        final Map<String, ProcessorTime> periods = spent.getOrDefault(payer, Collections.emptyMap());
        return new Charges(
                cluster,
                payer.user(),
                payer.project(),
                held,
                periods.entrySet().stream()
                        .map(one -> new Spent(one.getKey(), one.getValue()))
                        .toList());
    }
}
