package io.millrace.submit.domain.policy;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.JobSpec;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.Usage;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is left of budgets and limits of processor time, from what quota-service has published. */
public final class BudgetBalances {

    private static final double HOUR_S = 3600;

    private final Map<String, BudgetSet> sets;
    private final Map<QuotaHolder, Drawn> drawn = new HashMap<>();
    private final Map<UserName, Long> requested_core_s;
    private final Map<QuotaHolder, Set<QuotaHolder>> groupsOf;
    private final Instant now;

    public BudgetBalances(
            final List<BudgetSet> sets,
            final List<Charges> charges,
            final List<Usage> usage,
            final List<QuotaGroup> groups,
            final Instant now) {
        this.sets = sets.stream().collect(Collectors.toMap(BudgetSet::key, set -> set));
        this.requested_core_s =
                usage.stream().collect(Collectors.toMap(Usage::user, Usage::requestedCoreSeconds, Long::sum));
        this.groupsOf = new HashMap<>();
        groups.forEach(group -> group.members()
                .forEach(member ->
                        groupsOf.computeIfAbsent(member, m -> new TreeSet<>()).add(group.group())));
        this.now = now;
        charges.forEach(one -> holders(one.user(), one.project())
                .forEach(holder -> drawn.computeIfAbsent(holder, h -> new Drawn(new HashMap<>(), new ArrayList<>()))
                        .add(one)));
    }

    /** What the jobs of a holder were charged, by period, and what they reserve. */
    private record Drawn(Map<String, ProcessorTime> spent, List<ProcessorTime> reserved) {
        private static final Drawn NONE = new Drawn(Map.of(), List.of());

        private void add(final Charges charges) {
            charges.spent().forEach(one -> spent.merge(one.period(), one.amount(), ProcessorTime::plus));
            reserved.add(charges.reserved());
        }

        private ProcessorTime spent(final BudgetPeriod period) {
            return spent.getOrDefault(period.label(), ProcessorTime.NONE);
        }
    }

    /**
     * A budget in its current period.
     *
     * @param available what may be spent by now, with what was carried over
     * @param spent by ended runs
     * @param reserved by running jobs, until their ends
     */
    public record Balance(
            BudgetGrant grant,
            BudgetPeriod period,
            Instant end,
            ProcessorTime available,
            ProcessorTime spent,
            ProcessorTime reserved) {

        ProcessorTime taken() {
            return spent.plus(reserved);
        }

        boolean covers(final ProcessorTime wanted) {
            return grant.covers(available, taken().plus(wanted));
        }
    }

    public Optional<BudgetSet> set(final @Nullable QuotaHolder holder) {
        return Optional.ofNullable(sets.get(BudgetSet.keyOf(holder)));
    }

    public List<BudgetSet> sets() {
        return sets.values().stream()
                .sorted((one, other) -> one.key().compareTo(other.key()))
                .toList();
    }

    public boolean isEmpty() {
        return sets.isEmpty();
    }

    /** The holders on whose budgets a job of this user for this project draws. */
    public Set<QuotaHolder> holders(final UserName user, final @Nullable ProjectName project) {
        final Set<QuotaHolder> all = new TreeSet<>();
        add(QuotaHolder.of(user), all);
        if (project != null) {
            add(QuotaHolder.of(project), all);
        }
        return all;
    }

    private void add(final QuotaHolder holder, final Set<QuotaHolder> all) {
        if (all.add(holder)) {
            groupsOf.getOrDefault(holder, Set.of()).forEach(group -> add(group, all));
        }
    }

    /** The budgets that apply to a holder: its own; to a user without one, the default. */
    public Optional<BudgetSet> of(final QuotaHolder holder) {
        final Optional<BudgetSet> own = set(holder).filter(set -> !set.grants().isEmpty());
        return own.isPresent() || holder.kind() != QuotaHolder.Kind.USER ? own : set(null);
    }

    /**
     * The balance of each budget of a set, for this holder.
     *
     * @param holder null: none, for the default itself
     */
    public List<Balance> balances(final @Nullable QuotaHolder holder, final BudgetSet set) {
        final Drawn charged = holder == null ? Drawn.NONE : drawn.getOrDefault(holder, Drawn.NONE);
        final ZoneId zone = set.siteZone();
        return set.grants().stream()
                .map(grant -> {
                    final BudgetPeriod period = BudgetPeriod.of(grant.per(), now, zone);
                    return new Balance(
                            grant,
                            period,
                            period.end(zone),
                            grant.available(charged.spent(period.previous()), period, now, zone),
                            charged.spent(period),
                            charged.reserved().stream().reduce(ProcessorTime.NONE, ProcessorTime::plus));
                })
                .toList();
    }

    /** The limit of processor time of a user, in core-seconds: the own one, else the highest of the groups, else the default. */
    public Optional<Long> limit_core_s(final UserName user) {
        final QuotaHolder own = QuotaHolder.of(user);
        return limit(set(own))
                .or(() -> holders(user, null).stream()
                        .filter(holder -> !holder.equals(own))
                        .flatMap(group -> limit(set(group)).stream())
                        .max(Long::compare))
                .or(() -> limit(set(null)));
    }

    private static Optional<Long> limit(final Optional<BudgetSet> set) {
        return set.map(BudgetSet::limitCoreSeconds);
    }

    /** Core-seconds that the running jobs of a user request. */
    public long requested_core_s(final UserName user) {
        return requested_core_s.getOrDefault(user, 0L);
    }

    /** What the owner of a new job is told: a budget or limit that does not cover it now. Clusters may charge by other factors than 1. */
    public List<String> notes(final UserName user, final JobSpec spec) {
        final ProcessorTime wanted = cost(
                spec.resources().cores(),
                spec.resources().gpus(),
                spec.walltime().toSeconds());
        final List<String> notes = new ArrayList<>();
        for (final QuotaHolder holder : holders(user, spec.project())) {
            of(holder)
                    .ifPresent(set -> balances(holder, set).stream()
                            .filter(balance -> !balance.covers(wanted))
                            .forEach(balance -> notes.add(note(holder, balance, wanted))));
        }
        limit_core_s(user)
                .filter(limit -> wanted.coreSeconds() > limit)
                .ifPresent(limit -> notes.add("it requests " + hours(wanted.coreSeconds())
                        + " core-hours, and the limit of processor time of user '" + user + "' is " + hours(limit)
                        + ": it cannot start; request fewer cores or a shorter walltime"));
        return notes;
    }

    private static String note(final QuotaHolder holder, final Balance balance, final ProcessorTime wanted) {
        final BudgetGrant grant = balance.grant();
        final boolean cores = grant.coreSeconds() != null
                && balance.taken().coreSeconds() + wanted.coreSeconds()
                        > balance.available().coreSeconds();
        final long available_s =
                cores ? balance.available().coreSeconds() : balance.available().gpuSeconds();
        final long taken_s =
                cores ? balance.taken().coreSeconds() : balance.taken().gpuSeconds();
        final long wanted_s = cores ? wanted.coreSeconds() : wanted.gpuSeconds();
        return "the budget of " + holder.named() + " for " + balance.period() + " has "
                + hours(Math.max(0, available_s - taken_s)) + " of " + hours(available_s)
                + (cores ? " core-hours" : " gpu-hours") + " left, and the job requests " + hours(wanted_s) + ": it "
                + switch (grant.exhausted()) {
                    case HOLD -> "waits until the budget covers it";
                    case BORROW -> "runs on borrowed cores only";
                    case LAST -> "waits behind all other jobs";
                };
    }

    private static String hours(final long seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds / HOUR_S);
    }

    private static ProcessorTime cost(final long cores, final long gpus, final long seconds) {
        return new ProcessorTime(cores * seconds, gpus * seconds);
    }

    /**
     * The waiting jobs that the budgets or the limit of a set would not cover, and those of this one do; the jobs before each of them are
     * counted as if they ran.
     *
     * @param wanted the set after the change; its holder is the one that changes
     * @param waiting jobs of all users, in the order in which they would start
     */
    public List<JobObserved> newlyHeld(final BudgetSet wanted, final List<JobObserved> waiting) {
        final Set<JobObserved> before =
                set(wanted.holder()).map(set -> uncovered(set, waiting)).orElse(Set.of());
        return uncovered(wanted, waiting).stream()
                .filter(job -> !before.contains(job))
                .toList();
    }

    private Set<JobObserved> uncovered(final BudgetSet set, final List<JobObserved> waiting) {
        final Set<JobObserved> held = new LinkedHashSet<>();
        final Map<QuotaHolder, ProcessorTime> admitted = new HashMap<>();
        final Map<QuotaHolder, List<Balance>> known = new HashMap<>();
        for (final JobObserved job : waiting) {
            final Optional<QuotaHolder> payer = payer(set, job);
            final var walltime = job.walltime();
            if (payer.isEmpty() || walltime == null) {
                continue;
            }
            final ProcessorTime cost =
                    cost(job.resources().cores(), job.resources().gpus(), walltime.toSeconds());
            final ProcessorTime all =
                    admitted.getOrDefault(payer.get(), ProcessorTime.NONE).plus(cost);
            final boolean covered = known.computeIfAbsent(payer.get(), holder -> balances(holder, set)).stream()
                            .filter(balance -> balance.grant().exhausted() == BudgetGrant.Exhausted.HOLD)
                            .allMatch(balance -> balance.covers(all))
                    && (set.limitCoreSeconds() == null
                            || requested_core_s(job.owner()) + cost.coreSeconds() <= set.limitCoreSeconds());
            if (covered) {
                admitted.put(payer.get(), all);
            } else {
                held.add(job);
            }
        }
        return held;
    }

    /** On whose account a job draws on a set; empty if it does not. */
    private Optional<QuotaHolder> payer(final BudgetSet set, final JobObserved job) {
        final QuotaHolder owner = QuotaHolder.of(job.owner());
        final QuotaHolder holder = set.holder();
        if (holder == null) {
            return set(owner).filter(own -> !own.grants().isEmpty()).isEmpty() ? Optional.of(owner) : Optional.empty();
        }
        return holders(job.owner(), job.project()).contains(holder) ? Optional.of(holder) : Optional.empty();
    }
}
