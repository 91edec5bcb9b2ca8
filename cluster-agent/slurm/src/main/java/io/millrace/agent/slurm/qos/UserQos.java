package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.SettingUpdate;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.ConfigQuery;
import io.millrace.agent.slurm.query.ConfigQuery.Config;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Implements the tiers and limits of UPQPP by one QoS per user and one common QoS, whose jobs can be preempted. */
public final class UserQos implements Tiering, Limiting {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;
    private final JobLookup jobs;
    private final QosNames names;

    public UserQos(final SlurmSite site, final Runner runner, final Supplier<String> nonces, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
        this.jobs = jobs;
        this.names = new QosNames(site.cluster());
    }

    // ---- limits

    @Override
    public Answer<Map<UserName, Integer>> limits() {
        return present().map(present -> {
            final Map<UserName, Integer> limits = new TreeMap<>();
            for (final Qos qos : present) {
                final Integer cores = qos.cores();
                if (cores != null) {
                    names.user(qos.name()).ifPresent(user -> limits.put(user, cores));
                }
            }
            return limits;
        });
    }

    @Override
    public Answer<Accepted> setLimit(final UserName user, final @Nullable Integer cores) {
        if (cores != null && cores < 0) {
            return Answer.trouble(Answer.Kind.REJECTED, "a quota of " + cores + " cores is not valid; use 0 or more");
        }
        return runner.run(new ConfigQuery(site)).map(this::changes).then(changes -> {
            if (cores != null) {
                return apply(
                                user,
                                changes,
                                (present, associations) -> changes.toSet(user, cores, present, associations))
                        .map(done -> new Accepted("limited QoS " + names.own(user) + " to " + cores + " cores"));
            }
            return moveAway(user)
                    .then(moved -> apply(
                            user, changes, (present, associations) -> changes.toClear(user, present, associations)))
                    .map(done -> new Accepted("deleted QoS " + names.own(user)));
        });
    }

    /** Whether no changes are needed. A QoS to be deleted exists as long as jobs are pending in it. */
    @Override
    public Answer<Boolean> isLimitSet(final UserName user, final @Nullable Integer cores) {
        return runner.run(new ConfigQuery(site))
                .map(this::changes)
                .then(changes -> pending(
                        user,
                        changes,
                        (present, associations) -> cores == null
                                ? changes.toClear(user, present, associations)
                                : changes.toSet(user, cores, present, associations)))
                .map(List::isEmpty);
    }

    private QosChanges changes(final Config config) {
        return new QosChanges(site, config.get("ClusterName"), names);
    }

    /** Executes the commands and verifies that no further ones are needed. */
    private Answer<Accepted> apply(
            final UserName user,
            final QosChanges changes,
            final BiFunction<List<Qos>, List<Association>, List<ChangeCommand>> commands) {
        return pending(user, changes, commands)
                .then(toDo -> execute(toDo).then(done -> pending(user, changes, commands)))
                .then(left -> left.isEmpty()
                        ? Answer.ok(new Accepted("verified"))
                        : Answer.trouble(
                                Answer.Kind.UNREADABLE,
                                "slurmdbd accepted the changes but does not report them; missing: "
                                        + left.get(0).summary()));
    }

    private Answer<List<ChangeCommand>> pending(
            final UserName user,
            final QosChanges changes,
            final BiFunction<List<Qos>, List<Association>, List<ChangeCommand>> commands) {
        return runner.run(new AssociationQuery(site, changes.clusterName(), user))
                .then(associations -> associations.isEmpty()
                        ? Answer.trouble(
                                Answer.Kind.REJECTED,
                                "user '" + user + "' has no account on cluster " + changes.clusterName()
                                        + "; to add one: sacctmgr add user " + user + " account=ACCOUNT cluster="
                                        + changes.clusterName())
                        : present().map(present -> commands.apply(present, associations)));
    }

    private Answer<List<Qos>> present() {
        return runner.run(new QosQuery(site, names.common()));
    }

    private Answer<Accepted> execute(final List<ChangeCommand> commands) {
        Answer<Accepted> last = Answer.ok(new Accepted("no changes"));
        for (final ChangeCommand command : commands) {
            last = last.then(done -> runner.run(command));
        }
        return last;
    }

    /** Moves pending jobs out of a QoS before its deletion; otherwise they would never start ("InvalidQOS"). */
    private Answer<Accepted> moveAway(final UserName user) {
        final String own = names.own(user);
        return runner.run(new PendingInQosQuery(site, own, nonces.get())).then(waiting -> {
            Answer<Accepted> last = Answer.ok(new Accepted("no jobs are pending in " + own));
            for (final String target : waiting) {
                last = last.then(done -> runner.run(SettingUpdate.qos(site, target, names.common())));
            }
            return last;
        });
    }

    // ---- tiers

    @Override
    public Answer<Accepted> setTier(final JobKey job, final Tier tier) {
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Queued q -> move(seen, tier);
            case JobState.Held h -> move(seen, tier);
            case JobState.Running r -> notPending(seen);
            case JobState.Suspended s -> notPending(seen);
            case JobState.Completing c -> notPending(seen);
            case JobState.Unsettled u -> notPending(seen);
            case JobState.Unknown u -> notPending(seen);
        });
    }

    @Override
    public Map<JobKey, Answer<Accepted>> setTiers(final Map<JobKey, Tier> tiers) {
        return new TierMoves(site, runner, jobs, names, this::setTier).set(tiers);
    }

    private Answer<Accepted> notPending(final QueuedJob seen) {
        return qos(seen)
                .then(now -> jobs.wrongState(
                        seen, "is not pending; Slurm changes the QoS (" + now.qos() + ") only of pending jobs"));
    }

    private Answer<Accepted> move(final QueuedJob seen, final Tier tier) {
        final String wanted = switch (tier) {
            case GUARANTEED -> names.own(UserName.of(seen.cell("username")));
            case BORROWED -> names.common();
        };
        return qos(seen).then(now -> {
            if (now.qos().equals(wanted)) {
                return Answer.ok(new Accepted(seen.localId() + " is already in QoS " + wanted));
            }
            if (tier == Tier.BORROWED && !now.requeues()) {
                return jobs.wrongState(
                        seen,
                        "cannot be requeued (--no-requeue, srun or salloc), so preemption would end it; it stays in"
                                + " QoS "
                                + now.qos());
            }
            return runner.run(SettingUpdate.qos(site, TargetId.of(seen), wanted))
                    .then(done -> confirm(seen, wanted, done));
        });
    }

    private Answer<Accepted> confirm(final QueuedJob seen, final String wanted, final Accepted done) {
        return qos(seen)
                .then(now -> now.qos().equals(wanted)
                        ? Answer.ok(done)
                        : Answer.trouble(
                                Answer.Kind.UNREADABLE,
                                "Slurm accepted QoS " + wanted + " for job " + seen.localId() + " but reports "
                                        + now.qos()));
    }

    private Answer<JobQosQuery.JobQos> qos(final QueuedJob seen) {
        return runner.run(new JobQosQuery(site, seen, nonces.get()));
    }
}
