package io.millrace.model.command;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Tier;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.FilterRule;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an agent can execute. The victims and the beneficiary of a reclaim are one action, so that no other job can take the cores. */
public sealed interface Action {

    /**
     * What the action is about, as text: with issuer, action and number of answered tries it makes the command's id.
     */
    String subject();

    /** The action's name on the log and in ids: that of its record in kebab case, {@code CopyTree -> copy-tree}. */
    default String name() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /** An action on one job in the queue of its cluster. */
    sealed interface OnJob extends Action {
        JobKey job();

        @Override
        default String subject() {
            return job().toString();
        }
    }

    /** An action on an attempt of a global job. */
    sealed interface OnAttempt extends Action {
        AttemptId attempt();

        @Override
        default String subject() {
            return attempt().toString();
        }
    }

    /** An action that runs, or would run, what the owner of a job has signed. */
    sealed interface OfOwner extends OnAttempt {
        UserName owner();

        JobSpec spec();

        String directory();

        String signature();
    }

    /** An action on a copy of a directory. */
    sealed interface OnTransfer extends Action {
        TransferId transfer();

        @Override
        default String subject() {
            return transfer().toString();
        }
    }

    /**
     * Hands an attempt to the workload manager as its owner: held ({@code HoldKind.SUBMISSION}) and tagged with the attempt.
     *
     * @param directory absolute path on the target cluster where the job runs
     * @param signature the submission's signature: who may run which script until when
     */
    record Submit(AttemptId attempt, UserName owner, JobSpec spec, String directory, String signature)
            implements OfOwner {
        public Submit with(final JobSpec other) {
            return new Submit(attempt, owner, other, directory, signature);
        }
    }

    /** Runs the job's make step in its directory as its owner, before it is submitted. */
    record Make(AttemptId attempt, UserName owner, JobSpec spec, String directory, String signature)
            implements OfOwner {
        public Make with(final JobSpec other) {
            return new Make(attempt, owner, other, directory, signature);
        }
    }

    /**
     * Lifts Millrace's hold on a directed cluster and starts the job now.
     *
     * @param partition where it starts, if not in the one it waits in; null: there
     * @param tasks indices of the waiting tasks of its array to start, as ranges; null: the job, or the next task of its array
     */
    record Start(
            JobKey job,
            @Nullable PartitionName partition,
            @Nullable String tasks) implements OnJob {

        public Start {
            if (tasks != null && ArrayIndices.count(tasks) < 1) {
                throw new IllegalArgumentException("a start of " + job + " names no task, got '" + tasks + "'");
            }
            if (tasks != null && partition != null) {
                throw new IllegalArgumentException("a start in another partition starts one task, got '" + tasks + "'");
            }
        }

        /** Starts these tasks of an array. */
        public static Start tasks(final JobKey array, final String indices) {
            return new Start(array, null, indices);
        }

        /** Starts it in the partition it waits in. */
        public Start(final JobKey job) {
            this(job, null, null);
        }

        public Start(final JobKey job, final @Nullable PartitionName partition) {
            this(job, partition, null);
        }

        /** How many jobs or tasks start. */
        public int count() {
            return tasks == null ? 1 : ArrayIndices.count(tasks);
        }
    }

    /** Sets the submission hold on a waiting job of a global job again; {@link Release} lifts it. */
    record Hold(JobKey job) implements OnJob {}

    /** Lifts the submission hold: on a native cluster the job becomes eligible, on a directed one it waits for its start. */
    record Release(JobKey job) implements OnJob {}

    /** Ends the run and queues the job again (held under directed control); what it had done is lost. */
    record Requeue(JobKey job) implements OnJob {}

    record Suspend(JobKey job) implements OnJob {}

    record Resume(JobKey job) implements OnJob {}

    /** Saves a running job by its method, then puts it back into the queue, held; its walltime becomes what remains and the restart's cost. */
    record Checkpoint(JobKey job, CheckpointMethod method) implements OnJob {}

    /** Sends a signal (name without SIG) to the job's processes. */
    record Signal(JobKey job, String signal) implements OnJob {}

    record Cancel(JobKey job) implements OnJob {}

    /**
     * Takes the victims off their cores and starts the beneficiary on them; until it is answered the cores are claimed.
     *
     * @param preemptions how each victim leaves its cores; null, or one that is not named: it is requeued
     * @param reserve waiting jobs that are requeued, too, if they have started on idle cores that the beneficiary needs, first choice first;
     *     null: none
     * @param tasks indices of the waiting tasks of the beneficiary to start, as ranges; null: the job, or the next task of its array
     */
    record Reclaim(
            List<JobKey> victims,
            JobKey beneficiary,
            @Nullable List<Preemption> preemptions,
            @Nullable List<ReserveVictim> reserve,
            @Nullable String tasks)
            implements Action {

        public Reclaim {
            victims = List.copyOf(victims);
            preemptions = preemptions == null ? null : List.copyOf(preemptions);
            reserve = reserve == null ? null : List.copyOf(reserve);
        }

        /** All victims are requeued. */
        public Reclaim(final List<JobKey> victims, final JobKey beneficiary) {
            this(victims, beneficiary, null, null, null);
        }

        public Reclaim(
                final List<JobKey> victims, final JobKey beneficiary, final @Nullable List<Preemption> preemptions) {
            this(victims, beneficiary, preemptions, null, null);
        }

        /** What starts on the cores. */
        public Start start() {
            return new Start(beneficiary, null, tasks);
        }

        /** The reserve; empty if there is none. */
        public List<ReserveVictim> allReserve() {
            return reserve == null ? List.of() : reserve;
        }

        /** The same reclaim with these jobs of its reserve as victims, and without a reserve. */
        public Reclaim taking(final List<JobKey> reserved) {
            final List<JobKey> all = new ArrayList<>(victims);
            all.addAll(reserved);
            return new Reclaim(all, beneficiary, preemptions, null, tasks);
        }

        /** How each victim leaves its cores, in their order. */
        public List<Preemption> allPreemptions() {
            final Map<JobKey, Preemption> said = new HashMap<>();
            if (preemptions != null) {
                preemptions.forEach(one -> said.put(one.victim(), one));
            }
            return victims.stream()
                    .map(victim -> said.getOrDefault(victim, Preemption.requeue(victim)))
                    .toList();
        }

        @Override
        public String subject() {
            return beneficiary.toString();
        }
    }

    /**
     * Brings a directory tree to this cluster as {@code owner} and verifies it; long, never blocks the next command.
     *
     * @param keepChangedSince files at the destination that changed at or after this time are not overwritten; null: all are
     * @param filter which files are copied; null: all
     * @param bandwidthKibPerSecond bandwidth limit of this copy; null: none beyond that of the agent
     * @param signature of the submission: who may copy which directory by which rules until when
     */
    record CopyTree(
            TransferId transfer,
            UserName owner,
            Place from,
            Place to,
            @Nullable Instant keepChangedSince,
            @Nullable List<FilterRule> filter,
            @Nullable Integer bandwidthKibPerSecond,
            String signature)
            implements OnTransfer {

        public CopyTree {
            filter = FilterRule.orNull(filter);
        }

        /** A copy of all files that has no signature; agents refuse it. */
        public CopyTree(final TransferId transfer, final UserName owner, final Place from, final Place to) {
            this(transfer, owner, from, to, null, null, null, "");
        }
    }

    /** Ends a running copy; what has arrived stays. */
    record StopCopy(TransferId transfer) implements OnTransfer {}

    /**
     * Removes the copy of the directory of an attempt that has ended, as its owner.
     *
     * @param directory the attempt's folder below the staging root of the cluster
     * @param signature of the submission
     */
    record RemoveCopy(AttemptId attempt, UserName owner, String directory, String signature) implements OnAttempt {}

    /** Sets the walltime limit of a job, waiting or running. */
    record AlterWalltime(JobKey job, Duration walltime) implements OnJob {}

    /**
     * Changes properties of a job that waits in the queue of its cluster.
     *
     * @param jobName null: unchanged; not {@code name}, which is the name of the action
     * @param cores total number; null: unchanged
     */
    record AlterPending(
            JobKey job, @Nullable String jobName, @Nullable Integer cores) implements OnJob {

        public AlterPending {
            if (jobName == null && cores == null) {
                throw new IllegalArgumentException("the change of job " + job + " names neither a name nor cores");
            }
            if (cores != null && cores < 1) {
                throw new IllegalArgumentException("a job needs at least 1 core, got " + cores);
            }
        }
    }

    /** Moves a waiting job to the tier of guaranteed or of borrowed work of a workload manager that preempts by itself. */
    record SetTier(JobKey job, Tier tier) implements OnJob {}

    /**
     * Lets a waiting job start in whichever of these partitions has room for it first, where the local scheduler starts jobs. A single partition
     * is possible with every workload manager that alters jobs, several only with {@code PARTITION_CHOICE}.
     */
    record SetPartitions(JobKey job, List<PartitionName> partitions) implements OnJob {

        public SetPartitions {
            partitions = List.copyOf(partitions);
        }
    }

    /**
     * Sets the guaranteed cores of a user in the workload manager.
     *
     * @param cores null: it shall keep no figure for this user
     */
    record SetLimit(UserName user, @Nullable Integer cores) implements Action {
        @Override
        public String subject() {
            return user.value();
        }
    }

    /**
     * Reports how this cluster would submit a job, without submitting it.
     *
     * @param signature of the dry run on this cluster; that of a submission is not valid
     */
    record DryRun(AttemptId attempt, UserName owner, JobSpec spec, String directory, String signature)
            implements OfOwner {}
}
