package io.millrace.simulator.quota;

import io.millrace.decide.ClusterView;
import io.millrace.model.ClusterId;
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
import io.millrace.simulator.SimulatedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Publishes what an agent of the virtual cluster would publish: job changes, and a marker for each revision. */
final class SimulatedAgent {

    private static final PartitionName PARTITION = PartitionName.of("all");

    private final ClusterView view;
    private final PreemptionMode preemption;
    private final Map<JobKey, SimulatedJob> jobs = new HashMap<>();
    private int cores;
    private int used;
    private final Map<JobKey, Long> granted = new HashMap<>();
    private final Map<UserName, Long> requested_core_s = new HashMap<>();
    private final Set<JobKey> waiting = new HashSet<>();
    private long revision;

    SimulatedAgent(final ClusterId cluster, final int cores, final PreemptionMode preemption) {
        this.view = new ClusterView(cluster);
        this.cores = cores;
        this.preemption = preemption;
    }

    /** The user of a trace's job: {@code u7}. */
    static UserName owner(final SimulatedJob job) {
        return UserName.of("u" + job.user());
    }

    void waits(final SimulatedJob job) {
        jobs.put(key(job), job);
        waiting.add(key(job));
        view.apply(observed(job, new JobState.Held(HoldKind.ENTRY)));
    }

    /** Reserves cores for a job, idle ones or those of victims; its request counts from now on. */
    void granted(final SimulatedJob job) {
        if (granted.putIfAbsent(key(job), request_core_s(job)) == null) {
            requested_core_s.merge(owner(job), request_core_s(job), Long::sum);
        }
    }

    private static long request_core_s(final SimulatedJob job) {
        return job.cores() * job.queued().walltime_s();
    }

    /** Requested core-seconds of the user's running jobs. */
    long requested_core_s(final UserName user) {
        return requested_core_s.getOrDefault(user, 0L);
    }

    void runs(final SimulatedJob job, final long since_s) {
        granted(job);
        waiting.remove(key(job));
        used += job.cores();
        view.apply(observed(job, new JobState.Running(Instant.ofEpochSecond(since_s), List.of())));
    }

    /** A running job has ended. */
    void leaves(final SimulatedJob job) {
        used -= job.cores();
        requested_core_s.merge(
                owner(job), -Objects.requireNonNull(granted.remove(key(job)), "the job is not running"), Long::sum);
        jobs.remove(key(job));
        view.remove(JobObserved.keyOf(key(job)));
    }

    void coresChange(final int by) {
        cores += by;
    }

    SimulatedJob job(final JobKey key) {
        return Objects.requireNonNull(jobs.get(key), () -> key + " is not on the cluster");
    }

    static JobKey key(final SimulatedJob job) {
        return job.queued().job();
    }

    int idle() {
        return cores - used;
    }

    boolean anybodyWaits() {
        return !waiting.isEmpty();
    }

    boolean waits(final JobKey job) {
        return waiting.contains(job);
    }

    /** The view after a revision at this time. */
    ClusterView at(final long now_s) {
        view.apply(new RevisionClosed(
                view.cluster(),
                ++revision,
                Instant.ofEpochSecond(now_s),
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "virtual",
                Resources.cores(cores),
                Resources.cores(idle()),
                preemption.byLoss()
                        ? Set.of(Capability.START, Capability.RECLAIM, Capability.CHECKPOINT)
                        : Set.of(Capability.START, Capability.RECLAIM),
                0,
                null,
                null,
                Map.of()));
        view.takeGone();
        return view;
    }

    private JobObserved observed(final SimulatedJob job, final JobState state) {
        return new JobObserved(
                key(job),
                Long.toString(job.id()),
                owner(job),
                null,
                PARTITION,
                state,
                null,
                Resources.cores(job.cores()),
                Duration.ofSeconds(job.queued().walltime_s()),
                Eligibility.since(key(job).submittedAt()),
                null,
                job.segments().size(),
                0,
                preemption.byLoss() && job.checkpointable()
                        ? new CheckpointMethod.Application(
                                "USR1", "saved", Duration.ofSeconds(preemption.checkpoint_s()))
                        : new CheckpointMethod.None(),
                JobDetail.NONE);
    }
}
