package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.ConfigQuery.Config;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
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

/** The tiers and limits of UPQPP by Slurm's QoS: each user's own one, and the common one whose jobs give way. */
final class UserQos {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;
    private final JobLookup jobs;
    private final QosNames names;

    UserQos(final SlurmSite site, final Runner runner, final Supplier<String> nonces, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
        this.jobs = jobs;
        this.names = new QosNames(site.cluster());
    }

    // ---- limits

    Answer<Map<UserName, Integer>> limits() {
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

    Answer<Accepted> limit(final UserName user, final @Nullable Integer cores) {
        if (cores != null && cores < 0) {
            return Answer.trouble(
                    Answer.Kind.REJECTED, "a quota of " + cores + " cores makes no sense; 0 is the least");
        }
        return runner.run(new ConfigQuery(site)).map(config -> plan(config)).then(plan -> {
            if (cores != null) {
                return keep(user, plan, (present, mine) -> plan.toSet(user, cores, present, mine))
                        .map(done -> new Accepted(user + " has " + cores + " cores of QoS " + names.own(user)));
            }
            return moveAway(user)
                    .then(moved -> keep(user, plan, (present, mine) -> plan.toClear(user, present, mine)))
                    .map(done -> new Accepted(user + " has no QoS of their own"));
        });
    }

    /** The plan finds nothing to do; what waits in a QoS that was to go would show as one that is still there. */
    Answer<Boolean> stands(final UserName user, final @Nullable Integer cores) {
        return runner.run(new ConfigQuery(site))
                .map(this::plan)
                .then(plan -> find(
                        user,
                        plan,
                        (present, mine) -> cores == null
                                ? plan.toClear(user, present, mine)
                                : plan.toSet(user, cores, present, mine)))
                .map(List::isEmpty);
    }

    private QosChanges plan(final Config config) {
        return new QosChanges(site, config.get("ClusterName"), names);
    }

    /** Does what the plan says, and asks it again: it must find nothing more to do. */
    private Answer<Accepted> keep(
            final UserName user,
            final QosChanges plan,
            final BiFunction<List<Qos>, List<Association>, List<ChangeCommand>> orders) {
        return find(user, plan, orders)
                .then(toDo -> carryOut(toDo).then(done -> find(user, plan, orders)))
                .then(left -> left.isEmpty()
                        ? Answer.ok(new Accepted("read back"))
                        : Answer.trouble(
                                Answer.Kind.UNREADABLE,
                                "slurmdbd took the changes and does not show them; it still lacks: "
                                        + left.get(0).summary()));
    }

    private Answer<List<ChangeCommand>> find(
            final UserName user,
            final QosChanges plan,
            final BiFunction<List<Qos>, List<Association>, List<ChangeCommand>> orders) {
        return runner.run(new AssociationQuery(site, plan.clusterName(), user))
                .then(mine -> mine.isEmpty()
                        ? Answer.trouble(
                                Answer.Kind.REJECTED,
                                "user '" + user + "' belongs to no account on cluster " + plan.clusterName()
                                        + "; sacctmgr add user " + user + " account=ACCOUNT cluster="
                                        + plan.clusterName())
                        : present().map(present -> orders.apply(present, mine)));
    }

    private Answer<List<Qos>> present() {
        return runner.run(new QosQuery(site, names.common()));
    }

    private Answer<Accepted> carryOut(final List<ChangeCommand> orders) {
        Answer<Accepted> last = Answer.ok(new Accepted("nothing to change"));
        for (final ChangeCommand order : orders) {
            last = last.then(done -> runner.run(order));
        }
        return last;
    }

    /** What still waits in a QoS that goes would never start ("InvalidQOS"). */
    private Answer<Accepted> moveAway(final UserName user) {
        final String own = names.own(user);
        return runner.run(new PendingInQosQuery(site, own, nonces.get())).then(waiting -> {
            Answer<Accepted> last = Answer.ok(new Accepted("none waits in " + own));
            for (final String target : waiting) {
                last = last.then(done -> runner.run(SettingUpdate.qos(site, target, names.common())));
            }
            return last;
        });
    }

    // ---- tiers

    Answer<Accepted> tier(final JobKey job, final Tier tier) {
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Queued q -> move(seen, tier);
            case JobState.Held h -> move(seen, tier);
            case JobState.Running r -> stays(seen);
            case JobState.Suspended s -> stays(seen);
            case JobState.Completing c -> stays(seen);
            case JobState.Unsettled u -> stays(seen);
            case JobState.Unknown u -> stays(seen);
        });
    }

    private Answer<Accepted> stays(final QueuedJob seen) {
        return facts(seen)
                .then(facts -> jobs.wrongState(
                        seen, "runs in QoS " + facts.qos() + ", and Slurm lets only waiting jobs change theirs"));
    }

    private Answer<Accepted> move(final QueuedJob seen, final Tier tier) {
        final String wanted = switch (tier) {
            case GUARANTEED -> names.own(UserName.of(seen.cell("username")));
            case BORROWED -> names.common();
        };
        return facts(seen).then(facts -> {
            if (facts.qos().equals(wanted)) {
                return Answer.ok(new Accepted(seen.localId() + " waits in QoS " + wanted + " already"));
            }
            if (tier == Tier.BORROWED && !facts.requeues()) {
                return jobs.wrongState(
                        seen,
                        "cannot be requeued (--no-requeue, srun or salloc), so that a preemption would end it; it stays in"
                                + " QoS " + facts.qos());
            }
            return runner.run(SettingUpdate.qos(site, TargetId.of(seen), wanted))
                    .then(done -> confirm(seen, wanted, done));
        });
    }

    private Answer<Accepted> confirm(final QueuedJob seen, final String wanted, final Accepted done) {
        return facts(seen)
                .then(now -> now.qos().equals(wanted)
                        ? Answer.ok(done)
                        : Answer.trouble(
                                Answer.Kind.UNREADABLE,
                                "Slurm took QoS " + wanted + " for " + seen.localId() + " and shows " + now.qos()));
    }

    private Answer<JobQosQuery.JobQos> facts(final QueuedJob seen) {
        return runner.run(new JobQosQuery(site, seen, nonces.get()));
    }
}
