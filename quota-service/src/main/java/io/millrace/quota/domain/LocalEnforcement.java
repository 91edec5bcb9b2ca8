package io.millrace.quota.domain;

import io.millrace.decide.Enforcement;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.view.CommandFactory;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Commands to a workload manager that enforces quotas by itself. Q-28: each user's own quota as a limit. Q-29: for each waiting job,
 * whether it is within quota. Q-73: for each job whose priority opens other partitions, the choice among them. Remembers the last
 * values sent; after a restart all are sent again, which changes nothing on the cluster.
 */
public final class LocalEnforcement {

    /** Unanswered commands at a time; the others follow. */
    private static final int AT_ONCE = 32;

    /** Limits last sent; empty where a limit was removed. */
    private final Map<UserName, Optional<Integer>> limits = new TreeMap<>();

    private final Map<JobKey, Tier> tiers = new HashMap<>();
    private final Map<JobKey, List<PartitionName>> choices = new HashMap<>();

    /** The commands to send now. */
    public List<Command> commands(
            final QuotaView view, final QuotaPlan plan, final QuotaPolicy policy, final Instant now) {
        final RevisionClosed marker = view.assumed().marker();
        final Enforcement enforcement = Enforcement.of(marker);
        final CommandFactory factory = new CommandFactory(view, policy, now);
        if (!factory.canSend()) {
            return List.of();
        }
        final CommandBatch batch = new CommandBatch(view, factory);
        if (marker.capabilities().contains(Capability.LIMIT)) {
            addLimits(enforcement.byLimits() ? quotas(view, now) : Map.of(), batch);
        }
        if (enforcement.byTiers()) {
            addTiers(view, plan.entitlements(), batch);
        }
        if (marker.control() == Control.NATIVE && marker.capabilities().contains(Capability.PARTITION_CHOICE)) {
            addPartitionChoices(view, plan.entitlements(), batch);
        }
        return batch.commands;
    }

    /** Adds partitions to the job's choice and removes none: the owner's choice and earlier additions cannot be distinguished. */
    private void addPartitionChoices(
            final QuotaView view, final Map<JobKey, Entitlement> entitlements, final CommandBatch batch) {
        choices.keySet().removeIf(job -> view.observed().job(job) == null);
        entitlements.forEach((key, right) -> {
            final JobObserved job =
                    right.otherPartitions().isEmpty() ? null : view.observed().job(key);
            if (job == null || !(job.state() instanceof JobState.Queued)) {
                return;
            }
            final Set<PartitionName> wanted = new LinkedHashSet<>(job.choice());
            if (!wanted.addAll(right.otherPartitions())) {
                return;
            }
            final List<PartitionName> all = List.copyOf(wanted);
            if (batch.add(
                    new Action.SetPartitions(key, all),
                    all.equals(choices.get(key)),
                    List.of(new Precondition.JobWaits(key)),
                    "priority " + right.priority() + " opens " + right.otherPartitions())) {
                choices.put(key, all);
            }
        });
    }

    private static Map<UserName, Integer> quotas(final QuotaView view, final Instant now) {
        final Map<UserName, Integer> here = new TreeMap<>();
        for (final Quota quota : view.quotas().all()) {
            if (quota.heldBy().kind() == QuotaHolder.Kind.USER
                    && view.assumed().marker().cluster().equals(quota.cluster())) {
                here.put(UserName.of(quota.heldBy().name()), quota.coresAt(now));
            }
        }
        return here;
    }

    /** Removes the limit of a user without a quota; a limit that stays would block the user's jobs. */
    private void addLimits(final Map<UserName, Integer> wanted, final CommandBatch batch) {
        limits.entrySet().removeIf(sent -> sent.getValue().isEmpty() && batch.isSettled(none(sent.getKey())));
        wanted.forEach((user, cores) -> {
            if (batch.add(
                    new Action.SetLimit(user, cores),
                    Optional.of(cores).equals(limits.get(user)),
                    List.of(),
                    "quota of " + user + ": " + cores + " cores")) {
                limits.put(user, Optional.of(cores));
            }
        });
        for (final UserName user : List.copyOf(limits.keySet())) {
            if (!wanted.containsKey(user)
                    && batch.add(
                            none(user),
                            Optional.empty().equals(limits.get(user)),
                            List.of(),
                            "quota of " + user + " removed: no limit on this cluster")) {
                limits.put(user, Optional.empty());
            }
        }
    }

    private static Action.SetLimit none(final UserName user) {
        final @Nullable Integer cores = null;
        return new Action.SetLimit(user, cores);
    }

    /** A running job is moved only where its tier is reported, since not every workload manager can move it. */
    private void addTiers(final QuotaView view, final Map<JobKey, Entitlement> entitlements, final CommandBatch batch) {
        final Map<JobKey, Tier> current = new HashMap<>();
        for (final JobObserved job : view.observed().jobs()) {
            final Entitlement entitlement = entitlements.get(job.job());
            final @Nullable Tier observed = job.detail().tier();
            final boolean waits = job.state() instanceof JobState.Queued;
            if (entitlement == null || !waits && (observed == null || !(job.state() instanceof JobState.Running))) {
                continue;
            }
            final Tier tier = entitlement.level() == EntitlementLevel.GUARANTEED ? Tier.GUARANTEED : Tier.BORROWED;
            if (tier == observed) {
                continue;
            }
            final @Nullable Tier sent = tiers.get(job.job());
            if (batch.add(
                    new Action.SetTier(job.job(), tier),
                    tier == sent,
                    List.of(waits ? new Precondition.JobWaits(job.job()) : new Precondition.JobRuns(job.job())),
                    entitlement.reason())) {
                current.put(job.job(), tier);
            } else if (sent != null) {
                current.put(job.job(), sent);
            }
        }
        tiers.clear();
        tiers.putAll(current);
    }

    /** The commands of one decision. */
    private static final class CommandBatch {

        private final QuotaView view;
        private final CommandFactory factory;
        private final List<Command> commands = new ArrayList<>();
        private final long open;

        private CommandBatch(final QuotaView view, final CommandFactory factory) {
            this.view = view;
            this.factory = factory;
            this.open = view.commands().unanswered().stream()
                    .map(Command::action)
                    .filter(action -> action instanceof Action.SetLimit
                            || action instanceof Action.SetTier
                            || action instanceof Action.SetPartitions)
                    .count();
        }

        /**
         * Adds the command, unless the same was sent and took effect, or a command on the same subject is pending or in back-off.
         *
         * @param known whether the same value was sent last
         * @return whether the command was added
         */
        private boolean add(
                final Action action, final boolean known, final List<Precondition> preconditions, final String reason) {
            if (open + commands.size() >= AT_ONCE || factory.isPending(action)) {
                return false;
            }
            if (known && (tookEffect(action) || factory.backOff(action).isPresent())) {
                return false;
            }
            commands.add(factory.command(action, preconditions, reason));
            return true;
        }

        private boolean isSettled(final Action action) {
            return !factory.isPending(action) && tookEffect(action);
        }

        /** A result that is no longer known was successful, or was retried until it expired. */
        private boolean tookEffect(final Action action) {
            return view.commands()
                    .lastAnswer(action)
                    .map(answer -> answer.result() instanceof Result.Done)
                    .orElse(true);
        }
    }
}
