package io.millrace.quota.domain.reclaim;

import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.ReserveVictim;
import io.millrace.quota.domain.account.QuotaAccount;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.Victim;
import io.millrace.quota.domain.view.CommandFactory;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates a reclaim with the preconditions that the agent checks when it executes it. */
final class ReclaimCommand {

    /** No command is valid for longer. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final int LISTED = 3;

    private ReclaimCommand() {}

    /**
     * @param beneficiary with the resources of all named tasks
     * @param tasks indices of its tasks that start, as ranges; null if it is not an array whose tasks can be named
     * @param reserve empty if the victims free enough cores
     */
    static Command of(
            final JobObserved beneficiary,
            final @Nullable String tasks,
            final List<Victim> taken,
            final List<ReserveVictim> reserve,
            final int idle,
            final QuotaView view,
            final QuotaAccounts accounts,
            final QuotaPolicy policy,
            final Instant now) {
        final List<AllocatedJob> victims = taken.stream().map(Victim::job).toList();
        final List<Preemption> preemptions =
                taken.stream().map(Victim::preemption).toList();
        final Action action = new Action.Reclaim(
                victims.stream().map(AllocatedJob::job).toList(),
                beneficiary.job(),
                preemptions,
                reserve.isEmpty() ? null : reserve,
                tasks);
        final int freed = victims.stream().mapToInt(AllocatedJob::cores).sum();
        return new CommandFactory(view, policy, now)
                .command(
                        action,
                        validity(preemptions, policy),
                        preconditions(beneficiary, victims, freed, reserve.isEmpty(), accounts),
                        reason(beneficiary, victims, freed, idle, accounts)
                                + (reserve.isEmpty() ? "" : ", as are borrowed jobs that start on the idle cores first")
                                + preemptions(preemptions));
    }

    /** extended by the longest grace time, because no plan may use the cores while victims are being saved. */
    private static Duration validity(final List<Preemption> preemptions, final QuotaPolicy policy) {
        final Duration grace = preemptions.stream()
                .map(Preemption::checkpointMethod)
                .filter(Objects::nonNull)
                .map(CheckpointMethod::grace)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        final Duration wanted = QuotaPolicy.VALIDITY.plus(grace);
        return wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST;
    }

    /** Lists the first victims; the command has the figures of all. */
    private static String preemptions(final List<Preemption> preemptions) {
        final String listed = preemptions.stream()
                .limit(LISTED)
                .map(one -> one.victim().id().local() + " " + one.reason())
                .collect(Collectors.joining("; "));
        return ": " + listed + (preemptions.size() > LISTED ? "; and " + (preemptions.size() - LISTED) + " more" : "");
    }

    private static List<Precondition> preconditions(
            final JobObserved beneficiary,
            final List<AllocatedJob> victims,
            final int freed,
            final boolean mustBeIdle,
            final QuotaAccounts accounts) {
        final List<Precondition> all = new ArrayList<>();
        all.add(new Precondition.JobWaits(beneficiary.job()));
        victims.forEach(victim -> all.add(new Precondition.JobRuns(victim.job())));
        final int missing = beneficiary.resources().cores() - freed;
        if (missing > 0 && mustBeIdle) {
            // Without these cores the victims would be preempted and the beneficiary would still wait.
            all.add(new Precondition.IdleCores(missing));
        }
        all.addAll(ownersStayAtQuota(victims, accounts));
        return all;
    }

    /**
     * The owner's running jobs must use at least the quota plus the victims' cores. Running wide jobs do not count towards the quota
     * and are added. An owner whose victims are all wide needs no check.
     */
    private static List<Precondition> ownersStayAtQuota(
            final List<AllocatedJob> victims, final QuotaAccounts accounts) {
        final Map<QuotaAccount, Integer> narrow = new LinkedHashMap<>();
        for (final AllocatedJob victim : victims) {
            final QuotaAccount account = accounts.of(victim);
            if (!account.isWide(victim)) {
                narrow.merge(account, victim.cores(), Integer::sum);
            }
        }
        final List<Precondition> all = new ArrayList<>();
        narrow.forEach((account, cores) -> all.add(
                new Precondition.OwnerUses(account.owner(), account.quota() + cores + account.runningWideCores())));
        return all;
    }

    private static String reason(
            final JobObserved beneficiary,
            final List<AllocatedJob> victims,
            final int freed,
            final int idle,
            final QuotaAccounts accounts) {
        final QuotaAccount owner = accounts.of(beneficiary);
        final List<String> owners = victims.stream()
                .map(victim -> victim.owner().value())
                .distinct()
                .sorted()
                .toList();
        return beneficiary.owner() + " is within quota " + owner.quotaText() + " ("
                + beneficiary.resources().cores() + " cores + " + owner.used() + " in use) and has " + idle
                + " idle cores; " + victims.size() + " job(s) with " + freed + " cores beyond the quota of "
                + String.join(", ", owners) + " are preempted";
    }
}
