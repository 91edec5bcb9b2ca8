package io.millrace.lab.planners.verification;

import io.millrace.agent.action.CommandValidator;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.ReserveVictims;
import io.millrace.backfill.PlanStarts;
import io.millrace.backfill.PlannerSettings;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.decide.FollowedCluster;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.plan.QuotaPlanner;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * quota-service and backfill-service decide from the same revision of one cluster, each without the decision of the other, and the agent
 * executes both in the order of the log. Jobs, users and the order on the log are determined by the seed.
 */
final class ReclaimRace {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final Set<Capability> CAPABILITIES = Set.of(Capability.START, Capability.RECLAIM);
    private static final int CORES = 32;
    private static final int USERS = 4;
    private static final int ROUNDS = 60;

    private final SplittableRandom random;
    private final Map<UserName, Integer> guaranteed = new LinkedHashMap<>();
    private final ActiveQuotas quotas = new ActiveQuotas(0);
    private final FollowedCluster seenByQuota = new FollowedCluster(CLUSTER, Issuer.QUOTA);
    private final PlanStarts backfill = new PlanStarts(new PlannerSettings(BackfillPolicy.EASY, Map.of()));
    private final CommandValidator validator = new CommandValidator(CAPABILITIES);
    private final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
    private final Map<JobKey, Entitlement> entitlements = new HashMap<>();
    private final Map<JobKey, Integer> refusals = new LinkedHashMap<>();
    private Instant now = Instant.parse("2026-03-02T12:00:00Z");
    private int executed;
    private int withReserve;
    private int number;
    private long revision;
    private long offset;

    private ReclaimRace(final long seed) {
        random = new SplittableRandom(seed);
        for (int user = 0; user < USERS; user++) {
            final UserName name = UserName.of("u" + user);
            guaranteed.put(name, user == 0 ? 0 : random.nextInt(CORES / (USERS - 1) + 1));
            quotas.put(Quota.of(
                    QuotaHolder.of(name),
                    CLUSTER,
                    guaranteed.get(name),
                    QuotaTerms.NONE,
                    UserName.of("op"),
                    "by chance",
                    Instant.EPOCH,
                    1));
        }
    }

    /**
     * @param executed how many reclaims were executed
     * @param withReserve how many of them preempted jobs of their reserve
     * @param refusals how often reclaims for a job that still waited were refused, by beneficiary
     */
    record Seen(int executed, int withReserve, Map<JobKey, Integer> refusals) {}

    static Seen run(final long seed) {
        final ReclaimRace race = new ReclaimRace(seed);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                race.round();
            }
        } catch (final IllegalStateException e) {
            throw new IllegalStateException("seed " + seed + ": " + e.getMessage(), e);
        }
        return new Seen(race.executed, race.withReserve, race.refusals);
    }

    private void round() {
        now = now.plusSeconds(1 + random.nextInt(20));
        List.copyOf(jobs.values()).stream()
                .filter(job -> job.state() instanceof JobState.Running && random.nextInt(12) == 0)
                .forEach(this::ends);
        for (int i = random.nextInt(4); i > 0; i--) {
            submit();
        }
        close();
        final QuotaPlan plan = QuotaPlanner.plan(
                QuotaView.of(seenByQuota.view(), seenByQuota.commands(), quotas, user -> 0), QuotaPolicy.DEFAULT, now);
        final List<Command> starts = backfill.decide(now).events().stream()
                .filter(Command.class::isInstance)
                .map(Command.class::cast)
                .toList();
        final List<Command> log = new ArrayList<>();
        final boolean startsFirst = random.nextInt(4) > 0;
        log.addAll(startsFirst ? starts : plan.reclaims());
        log.addAll(startsFirst ? plan.reclaims() : starts);
        plan.entitlements().forEach((job, entitlement) -> {
            entitlements.put(job, entitlement);
            backfill.entitled(job, entitlement);
        });
        log.forEach(this::issue);
        log.forEach(this::execute);
    }

    private void submit() {
        final int wide = random.nextInt(3) == 0 ? 12 : 4;
        final JobKey key = new JobKey(new JobId(CLUSTER, Integer.toString(++number)), now);
        jobs.put(
                key,
                new JobObserved(
                        key,
                        "job",
                        UserName.of("u" + random.nextInt(USERS)),
                        null,
                        PartitionName.of("all"),
                        new JobState.Held(HoldKind.ENTRY),
                        null,
                        Resources.cores(1 + random.nextInt(wide)),
                        Duration.ofMinutes(1 + random.nextInt(120)),
                        Eligibility.since(now),
                        null,
                        0,
                        0,
                        new CheckpointMethod.None(),
                        JobDetail.NONE));
    }

    private void ends(final JobObserved job) {
        jobs.remove(job.job());
        seenByQuota.gone(job.key());
        backfill.followed(CLUSTER).gone(job.key());
    }

    private void close() {
        for (final FollowedCluster view : List.of(seenByQuota, backfill.followed(CLUSTER))) {
            jobs.values().forEach(view::observed);
            view.observed(new RevisionClosed(
                    CLUSTER,
                    revision + 1,
                    now,
                    new WlmHealth.Answering(),
                    Control.DIRECTED,
                    "local",
                    Resources.cores(CORES),
                    Resources.cores(idle()),
                    CAPABILITIES,
                    offset,
                    null,
                    null,
                    Map.of()));
        }
        revision++;
    }

    private int idle() {
        return CORES
                - jobs.values().stream()
                        .filter(job -> job.state().occupiesCores())
                        .mapToInt(job -> job.resources().cores())
                        .sum();
    }

    private void issue(final Command command) {
        seenByQuota.issued(command, offset);
        backfill.followed(CLUSTER).issued(command, offset);
        offset++;
    }

    private void execute(final Command command) {
        final LiveCluster live = new LiveCluster(Control.DIRECTED, jobs, idle());
        final Command resolved = command.action() instanceof Action.Reclaim reclaim
                ? command.with(ReserveVictims.resolve(reclaim, live, 0))
                : command;
        final Optional<Result.Refused> refused = validator.validateLive(resolved, live, 0, attempt -> false);
        if (refused.isEmpty()) {
            take(resolved.action());
            withReserve += command.action() instanceof Action.Reclaim reclaim
                            && !reclaim.victims().equals(((Action.Reclaim) resolved.action()).victims())
                    ? 1
                    : 0;
        } else if (command.action() instanceof Action.Reclaim reclaim
                && jobs.get(reclaim.beneficiary()).state().isWaiting()) {
            refusals.merge(reclaim.beneficiary(), 1, Integer::sum);
            mustBeInevitable(reclaim, refused.get());
        }
        final Result result = refused.<Result>map(why -> why).orElseGet(() -> new Result.Done(null, "done"));
        final Outcome outcome = command.outcome(result, now);
        seenByQuota.answered(outcome);
        backfill.followed(CLUSTER).answered(outcome);
    }

    private void take(final Action action) {
        switch (action) {
            case Action.Start start -> set(start.job(), new JobState.Running(now, List.of()));
            case Action.Reclaim reclaim -> {
                executed++;
                if (!isPermitted(reclaim)) {
                    throw new IllegalStateException(reclaim + " takes an owner below the quota");
                }
                reclaim.victims().forEach(victim -> set(victim, new JobState.Held(HoldKind.ENTRY)));
                set(reclaim.beneficiary(), new JobState.Running(now, List.of()));
                if (idle() < 0) {
                    throw new IllegalStateException(reclaim + " left " + idle() + " idle cores");
                }
            }
            default -> throw new IllegalStateException("unexpected " + action);
        }
    }

    private void set(final JobKey key, final JobState state) {
        jobs.computeIfPresent(key, (k, job) -> job.in(state));
    }

    /** whether the owners' other running jobs fill their quotas. Jobs wider than the quota do not count. */
    private boolean isPermitted(final Action.Reclaim reclaim) {
        final UserName beneficiary = jobs.get(reclaim.beneficiary()).owner();
        return reclaim.victims().stream()
                .map(jobs::get)
                .allMatch(victim -> !victim.owner().equals(beneficiary)
                        && (isWide(victim) || othersUse(victim.owner(), reclaim) >= guaranteed.get(victim.owner())));
    }

    private boolean isWide(final JobObserved job) {
        return job.resources().cores() > guaranteed.get(job.owner());
    }

    private int othersUse(final UserName owner, final Action.Reclaim reclaim) {
        return jobs.values().stream()
                .filter(job -> job.owner().equals(owner) && job.state() instanceof JobState.Running && !isWide(job))
                .filter(job -> !reclaim.victims().contains(job.job()))
                .mapToInt(job -> job.resources().cores())
                .sum();
    }

    /** No set of jobs that have started from this revision could be preempted to give the beneficiary its cores. */
    private void mustBeInevitable(final Action.Reclaim reclaim, final Result.Refused refused) {
        final List<JobKey> started = jobs.values().stream()
                .filter(job -> job.state() instanceof JobState.Running running
                        && running.startedAt().equals(now))
                .map(JobObserved::job)
                .toList();
        for (int subset = 0; subset < 1 << started.size(); subset++) {
            final BitSet chosen = BitSet.valueOf(new long[] {subset});
            final Action.Reclaim other =
                    reclaim.taking(chosen.stream().mapToObj(started::get).toList());
            if (isPermitted(other) && idle() + cores(other.victims()) >= cores(List.of(reclaim.beneficiary()))) {
                throw new IllegalStateException(
                        "refused: " + refused.reason() + ", but could also preempt " + other.victims());
            }
        }
    }

    private int cores(final List<JobKey> keys) {
        return keys.stream().mapToInt(key -> jobs.get(key).resources().cores()).sum();
    }
}
