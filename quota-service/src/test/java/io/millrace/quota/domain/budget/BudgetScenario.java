package io.millrace.quota.domain.budget;

import io.millrace.decide.ClusterView;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.quota.GroupMemberships;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds a site in Berlin with one cluster on a day in November. */
final class BudgetScenario {

    static final ClusterId ALPHA = ClusterId.of("alpha");
    static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    static final Duration CLOSE_AFTER = Duration.ofDays(7);
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final Map<QuotaHolder, List<BudgetGrant>> grants = new HashMap<>();
    private final List<JobObserved> jobs = new ArrayList<>();
    private final List<RunEnded> ends = new ArrayList<>();
    private final Map<JobKey, List<String>> classes = new HashMap<>();
    private Map<ClusterId, Long> rates = Map.of();
    private List<BudgetGrant> byDefault = List.of();

    /** A budget in core-hours. */
    static BudgetGrant hours(final PeriodKind per, final long core_h) {
        return new BudgetGrant(
                per, core_h * 3600, null, BudgetGrant.Refill.AT_START, 0, BudgetGrant.Exhausted.HOLD, false);
    }

    static RunEnded end(final String job, final String user, final int cores, final long ran_h, final Instant ended) {
        return end(job, user, Resources.cores(cores), ran_h * 3600, ended, new RunOutcome.Exited(0), 0);
    }

    static RunEnded end(
            final String job,
            final String user,
            final Resources resources,
            final long ran_s,
            final Instant ended,
            final RunOutcome outcome,
            final long lost_core_s) {
        return new RunEnded(
                key(job),
                job,
                null,
                UserName.of(user),
                ProjectName.of("physics"),
                PartitionName.of("main"),
                resources,
                Duration.ofHours(24),
                1,
                ended.minusSeconds(ran_s),
                ended,
                outcome,
                lost_core_s,
                "sacct",
                null);
    }

    static JobKey key(final String job) {
        return new JobKey(new JobId(ALPHA, job), NOW.minusSeconds(86_400));
    }

    BudgetScenario grant(final QuotaHolder subject, final BudgetGrant... all) {
        grants.put(subject, Arrays.asList(all));
        return this;
    }

    BudgetScenario byDefault(final BudgetGrant... all) {
        byDefault = Arrays.asList(all);
        return this;
    }

    BudgetScenario factor(final long rate_permille) {
        rates = Map.of(ALPHA, rate_permille);
        return this;
    }

    BudgetScenario ended(final RunEnded end) {
        ends.add(end);
        return this;
    }

    BudgetScenario runs(final String job, final String user, final int cores, final long limit_h) {
        jobs.add(job(
                job, user, cores, Duration.ofHours(limit_h), new JobState.Running(NOW.minusSeconds(60), List.of())));
        return this;
    }

    static JobObserved waiting(final String job, final String user, final int cores, final Duration limit) {
        return job(job, user, cores, limit, new JobState.Queued());
    }

    private static JobObserved job(
            final String job, final String user, final int cores, final Duration limit, final JobState state) {
        return new JobObserved(
                key(job),
                job,
                UserName.of(user),
                ProjectName.of("physics"),
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                limit,
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    /** The classes of this job. */
    BudgetScenario classified(final String job, final String... into) {
        classes.put(key(job), List.of(into));
        return this;
    }

    private List<String> classes(final JobKey job) {
        return classes.getOrDefault(job, List.of());
    }

    BudgetRules rules() {
        return new BudgetRules(
                BERLIN,
                new Tariff(rates, Map.of("urgent", 1500L, "night", 250L)),
                grants,
                byDefault,
                new GroupMemberships(
                        Map.of(QuotaHolder.of("anna"), Set.of("students"), QuotaHolder.of("bob"), Set.of("students"))),
                CLOSE_AFTER);
    }

    BudgetCheck allowance(final Instant now) {
        final BudgetRules rules = rules();
        final ClusterView view = new ClusterView(ALPHA);
        jobs.forEach(view::apply);
        view.apply(new RevisionClosed(
                ALPHA,
                1,
                now,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "local",
                Resources.cores(100),
                Resources.cores(100),
                Set.of(),
                0,
                null,
                null,
                Map.of()));
        final BudgetUsage sums = new BudgetUsage(rules);
        final ClusterCharges charges = new ClusterCharges(ALPHA, rules);
        ends.forEach(end -> {
            charges.ended(end);
            charges.book(this::classes, end.endedAt());
        });
        charges.observed(view, this::classes, rules.isSome());
        charges.publish(sums, now);
        return new BudgetCheck(new Budgets(rules, sums), view, this::classes, now);
    }

    BudgetCheck allowance() {
        return allowance(NOW);
    }
}
