package io.millrace.quota.domain.budget;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.policy.Charges;
import io.millrace.model.policy.Charges.Spent;
import io.millrace.model.policy.LedgerClosed;
import io.millrace.model.policy.LedgerEntry;
import io.millrace.model.policy.ProcessorTime;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.Published;
import io.millrace.model.view.Published.Difference;
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

/** What the runs of one cluster have cost and what its running jobs reserve; its sums are the ones published for it. */
public final class ClusterCharges {

    /** So many runs back, a second end of the same run is known to be one. */
    private static final int REMEMBERED_RUNS = 2_000;

    private record Payer(UserName user, @Nullable ProjectName project) {}

    private final ClusterId cluster;
    private final BudgetRules rules;
    private final ClosedPeriods books;
    private final RunBilling settlement;
    private final Published<Charges> published = new Published<>();
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

    /** Takes what was published for this cluster, while the log is replayed. */
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

    /** Takes an ended run, to be booked at the next decision. */
    public void ended(final RunEnded end) {
        ended.add(end);
    }

    /** Takes a closing that the log has. */
    public void closed(final LedgerClosed closing) {
        books.replayed(closing);
    }

    /** Closes what is due, after what {@link #book} has booked. */
    public List<LedgerClosed> close(final Instant now) {
        return books.close(now);
    }

    /** Takes an entry that the log has: its run is booked. */
    public void booked(final String key) {
        if (booked.add(key) && booked.size() > REMEMBERED_RUNS) {
            booked.remove(booked.iterator().next());
        }
    }

    /**
     * Books what has ended since this was last asked; a second end of the same run changes nothing.
     *
     * @param classes of a job, also of one that has just left
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

    /** Counts what the running jobs of a closed revision reserve. */
    public void observed(final ClusterView view, final Function<JobKey, List<String>> classes) {
        if (rules.isSome()) {
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

    /** What is new in the sums, and adds it to those of all clusters. */
    public Difference<Charges> publish(final BudgetUsage sums, final Instant now) {
        final Set<String> remembered = rules.remembered(now);
        spent.values().forEach(periods -> periods.keySet().retainAll(remembered));
        spent.values().removeIf(Map::isEmpty);
        final Set<Payer> payers = new LinkedHashSet<>(spent.keySet());
        payers.addAll(reserved.keySet());
        final Difference<Charges> news = published.replaceAll(
                payers.stream()
                        .map(payer -> charges(payer, reserved.getOrDefault(payer, ProcessorTime.NONE)))
                        .filter(charges -> !charges.spent().isEmpty()
                                || !charges.reserved().isNone())
                        .toList(),
                Objects::equals);
        news.put().forEach(sums::put);
        news.removed().forEach(sums::remove);
        return news;
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
