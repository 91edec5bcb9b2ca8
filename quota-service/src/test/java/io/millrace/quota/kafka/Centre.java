package io.millrace.quota.kafka;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
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
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.EnforceQuotas;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A centre with a log in memory. Published records are fed back, as from the broker, until there are no more. */
final class Centre {

    private static final NodeName NODE = NodeName.of("n1");

    private final QuotaPolicy policy;
    private final BudgetRules budgets;
    private final List<LogRecord> records = new ArrayList<>();
    private final Map<String, Event> standing = new TreeMap<>();
    private final List<Command> commands = new ArrayList<>();
    private final Map<String, JobObserved> jobs = new LinkedHashMap<>();
    private final Map<ClusterId, Long> revisions = new TreeMap<>();
    private ClusterDecider service;
    private Instant now;

    Centre(final QuotaPolicy policy, final BudgetRules budgets, final Instant now) {
        this.policy = policy;
        this.budgets = budgets;
        this.now = now;
        this.service = successor();
    }

    private ClusterDecider successor() {
        return new ClusterDecider(new EnforceQuotas(policy, 0, budgets));
    }

    /** Another instance takes over and replays the log. */
    void restarts() {
        service = successor();
        records.forEach(service::apply);
        decides();
    }

    Centre quota(final String cluster, final String user, final int cores) {
        writes(new Quota(UserName.of(user), ClusterId.of(cluster), cores, UserName.of("op"), "for the test", now, 1));
        return this;
    }

    Centre budget(final BudgetSet set) {
        writes(set);
        decides();
        return this;
    }

    Centre noBudget(final QuotaHolder holder) {
        tombstone(Topic.QUOTAS, BudgetSet.keyOf(holder));
        decides();
        return this;
    }

    Centre waits(final String cluster, final String job, final String user, final int cores, final Duration limit) {
        return has(cluster, job, user, cores, limit, new JobState.Held(HoldKind.ENTRY));
    }

    Centre runs(final String cluster, final String job, final String user, final int cores, final Duration limit) {
        return has(cluster, job, user, cores, limit, running());
    }

    Centre runsWithoutLimit(final String cluster, final String job, final String user, final int cores) {
        return has(cluster, job, user, cores, null, running());
    }

    private JobState running() {
        return new JobState.Running(now.minus(Duration.ofHours(1)), List.of(NODE));
    }

    private Centre has(
            final String cluster,
            final String job,
            final String user,
            final int cores,
            final @Nullable Duration limit,
            final JobState state) {
        jobs.put(
                job,
                new JobObserved(
                        new JobKey(new JobId(ClusterId.of(cluster), job), now.minusSeconds(7200L - jobs.size())),
                        job,
                        UserName.of(user),
                        null,
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
                        JobDetail.NONE));
        return this;
    }

    Centre starts(final String job) {
        jobs.computeIfPresent(job, (name, seen) -> seen.in(running()));
        return this;
    }

    Centre isSuspended(final String job) {
        jobs.computeIfPresent(job, (name, seen) -> seen.in(new JobState.Suspended(now, List.of(NODE))));
        return this;
    }

    Centre leaves(final String job) {
        final JobObserved gone = jobs.remove(job);
        tombstone(Topic.CLUSTER_STATE, JobObserved.keyOf(gone.job()));
        return this;
    }

    /** A global job that is not yet placed. */
    GlobalJobId handsIn(final String user, final int cores) {
        final GlobalJobId id = GlobalJobId.of("01J00000000000000000000000");
        final JobSpec spec = new JobSpec(
                "mesh",
                "#!/bin/sh",
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        writes(new GlobalJob(
                new JobSubmitted(
                        id, 1, UserName.of(user), spec, ClusterId.of("alpha"), "/home/" + user, null, now, "signed"),
                new GlobalJobState.Waiting("for a cluster"),
                List.of(),
                null,
                now,
                1));
        decides();
        return id;
    }

    void isGone(final GlobalJobId job) {
        tombstone(Topic.GLOBAL_JOBS, job.value());
        decides();
    }

    /** The next revision of a cluster with this many cores. */
    Centre looks(final String cluster, final int cores) {
        final ClusterId id = ClusterId.of(cluster);
        int used = 0;
        for (final JobObserved job : jobs.values()) {
            if (job.job().cluster().equals(id)) {
                writes(job);
                used += job.state().occupiesCores() ? job.resources().cores() : 0;
            }
        }
        writes(new RevisionClosed(
                id,
                revisions.merge(id, 1L, Long::sum),
                now,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "local",
                Resources.cores(cores),
                Resources.cores(cores - used),
                Set.of(Capability.START, Capability.RECLAIM, Capability.SUSPEND),
                records.size(),
                null,
                null,
                Map.of()));
        decides();
        return this;
    }

    /** An ended run of the job that was submitted first. */
    void ended(
            final String job,
            final String user,
            final int cores,
            final Duration ran,
            final RunOutcome outcome,
            final long lost_core_s) {
        writes(new RunEnded(
                new JobKey(new JobId(ClusterId.of("alpha"), job), now.minus(ran).minusSeconds(9000)),
                job,
                null,
                UserName.of(user),
                null,
                PartitionName.of("main"),
                Resources.cores(cores),
                ran,
                1,
                now.minus(ran),
                now,
                outcome,
                lost_core_s,
                "sacct",
                null));
        decides();
    }

    void answers(final Command command, final Result result) {
        writes(command.outcome(result, now));
        decides();
    }

    /** Time passes without events. */
    void at(final Instant later) {
        now = later;
        decides();
    }

    Optional<Instant> wakesAt() {
        return service.wakeAt();
    }

    private void decides() {
        for (List<OutgoingEvent> said = service.decide(now); !said.isEmpty(); said = service.decide(now)) {
            said.forEach(this::echo);
        }
    }

    private void echo(final OutgoingEvent say) {
        switch (say) {
            case OutgoingEvent.Put put -> {
                if (put.event() instanceof Command command) {
                    commands.add(command);
                }
                writes(put.event());
            }
            case OutgoingEvent.Remove remove -> tombstone(remove.topic(), remove.key());
        }
    }

    private void writes(final Event event) {
        standing.put(event.key(), event);
        record(EventType.of(event).topic(), event.key(), event);
    }

    private void tombstone(final Topic topic, final String key) {
        standing.remove(key);
        record(topic, key, null);
    }

    private void record(final Topic topic, final String key, final @Nullable Event event) {
        final LogRecord read = new LogRecord(topic, 0, records.size(), now, key, event);
        records.add(read);
        service.apply(read);
    }

    Entitlement of(final String job) {
        return (Entitlement) standing.get(jobs.get(job).job().toString());
    }

    JobKey key(final String job) {
        return jobs.get(job).job();
    }

    List<PlacementOffered> offers() {
        return standing.values().stream()
                .filter(PlacementOffered.class::isInstance)
                .map(PlacementOffered.class::cast)
                .toList();
    }

    List<Command> commands() {
        return commands;
    }
}
