package io.millrace.simulator.quota;

import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption.Mode;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.plan.QuotaPlanner;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import io.millrace.simulator.ClusterScheduler;
import io.millrace.simulator.SimulatedJob;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * quota-service's planner as the scheduler of a virtual cluster. In each round, guaranteed jobs that fit start, then reclaims are executed,
 * then borrowed jobs use idle cores; jobs that do not fit are skipped.
 */
public final class QuotaScheduler implements ClusterScheduler {

    /** Receives every plan before it is executed. */
    @FunctionalInterface
    public interface PlanListener {
        void sees(QuotaView view, QuotaPlan plan, long now_s);
    }

    /**
     * The settings of a cluster.
     *
     * @param round_s jobs are considered at multiples of this time in seconds; 1: at every event
     */
    public record Rules(ActiveQuotas quotas, QuotaPolicy policy, PreemptionMode preemption, long round_s) {}

    private final ClusterId cluster;
    private final Rules rules;
    private final ToLongFunction<UserName> requestedElsewhere_core_s;
    private final PlanListener witness;
    private final SimulatedAgent observation;
    private final CommandView noCommands = new CommandView(Issuer.QUOTA);
    /** Beneficiaries whose victims have not ended yet. */
    private final Deque<SimulatedJob> beneficiaries = new ArrayDeque<>();

    public QuotaScheduler(final ClusterId cluster, final int cores, final Rules rules) {
        this(cluster, cores, rules, user -> 0, (view, plan, now_s) -> {});
    }

    /** @param requestedElsewhere_core_s requested core-seconds of each user's running jobs on all other clusters */
    public QuotaScheduler(
            final ClusterId cluster,
            final int cores,
            final Rules rules,
            final ToLongFunction<UserName> requestedElsewhere_core_s,
            final PlanListener witness) {
        this.cluster = cluster;
        this.rules = rules;
        this.requestedElsewhere_core_s = requestedElsewhere_core_s;
        this.witness = witness;
        this.observation = new SimulatedAgent(cluster, cores, rules.preemption());
    }

    @Override
    public void submitted(final SimulatedJob job, final long now_s) {
        observation.waits(job);
    }

    @Override
    public void ended(final SimulatedJob job, final long now_s) {
        observation.leaves(job);
    }

    @Override
    public void preempted(final SimulatedJob job, final long now_s) {
        observation.leaves(job);
    }

    @Override
    public void coresChanged(final int by, final long now_s) {
        observation.coresChange(by);
    }

    @Override
    public Decisions decide(final long now_s) {
        final List<SimulatedJob> starts = new ArrayList<>();
        final List<Preemption> preemptions = new ArrayList<>();
        startBeneficiaries(starts, now_s);
        if (beneficiaries.isEmpty() && observation.anybodyWaits() && now_s % rules.round_s() == 0) {
            round(starts, preemptions, now_s);
        }
        final long nextRound = observation.anybodyWaits() && rules.round_s() > 1
                ? (now_s / rules.round_s() + 1) * rules.round_s()
                : Long.MAX_VALUE;
        return new Decisions(starts, preemptions, nextRound);
    }

    private void startBeneficiaries(final List<SimulatedJob> starts, final long now_s) {
        while (!beneficiaries.isEmpty() && beneficiaries.getFirst().cores() <= observation.idle()) {
            start(beneficiaries.removeFirst(), starts, now_s);
        }
    }

    private void round(final List<SimulatedJob> starts, final List<Preemption> preemptions, final long now_s) {
        QuotaPlan plan = plan(now_s);
        if (startFitting(plan, EntitlementLevel.GUARANTEED, observation.idle(), starts, now_s)) {
            plan = plan(now_s);
        }
        int spare = observation.idle();
        for (final Command reclaim : plan.reclaims()) {
            spare -= execute((Action.Reclaim) reclaim.action(), preemptions);
        }
        startFitting(plan, EntitlementLevel.BORROWED, spare, starts, now_s);
    }

    private QuotaPlan plan(final long now_s) {
        final QuotaView view =
                QuotaView.of(observation.at(now_s), noCommands, rules.quotas(), requestedElsewhere_core_s);
        final QuotaPlan plan = QuotaPlanner.plan(view, rules.policy(), Instant.ofEpochSecond(now_s));
        witness.sees(view, plan, now_s);
        return plan;
    }

    /** Preempts the victims; returns how many idle cores the beneficiary needs in addition. */
    private int execute(final Action.Reclaim reclaim, final List<Preemption> preemptions) {
        final SimulatedJob beneficiary = observation.job(reclaim.beneficiary());
        int freed = 0;
        for (final var decided : reclaim.allPreemptions()) {
            final SimulatedJob victim = observation.job(decided.victim());
            freed += victim.cores();
            final PreemptionMode how = rules.preemption();
            final boolean keeps =
                    how.byLoss() ? decided.mode() == Mode.CHECKPOINT : how.keepsWork() && victim.checkpointable();
            preemptions.add(new Preemption(victim, keeps, keeps ? how.checkpoint_s() : 0, keeps ? how.restart_s() : 0));
        }
        beneficiaries.addLast(beneficiary);
        observation.granted(beneficiary);
        return Math.max(0, beneficiary.cores() - freed);
    }

    private boolean startFitting(
            final QuotaPlan plan,
            final EntitlementLevel right,
            final int idle,
            final List<SimulatedJob> starts,
            final long now_s) {
        final List<Entitlement> turn = plan.entitlements().values().stream()
                .filter(entitled -> entitled.level() == right)
                .filter(entitled -> observation.waits(entitled.job()))
                .sorted(Comparator.comparingLong(Entitlement::priority).reversed())
                .toList();
        int spare = idle;
        boolean any = false;
        for (final Entitlement entitled : turn) {
            final SimulatedJob job = observation.job(entitled.job());
            if (rules.policy().rules().isSufficient(spare, job.cores()) && !beneficiaries.contains(job)) {
                spare -= job.cores();
                start(job, starts, now_s);
                any = true;
            }
        }
        return any;
    }

    private void start(final SimulatedJob job, final List<SimulatedJob> starts, final long now_s) {
        observation.runs(job, now_s);
        starts.add(job);
    }

    @Override
    public boolean hasRoomFor(final SimulatedJob job, final long now_s) {
        return job.cores() <= observation.idle();
    }

    @Override
    public boolean startedBeforeTurn(final SimulatedJob job) {
        return false;
    }

    /** Requested core-seconds of the user's jobs on this cluster that run or have reserved cores. */
    public long requested_core_s(final UserName user) {
        return observation.requested_core_s(user);
    }

    @Override
    public String toString() {
        return "quotas on " + cluster;
    }
}
