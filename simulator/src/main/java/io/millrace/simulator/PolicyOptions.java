package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy.Uncheckpointable;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy.VictimOrder;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.JobOrder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of the planner's policy. */
final class PolicyOptions {

    /** The names of {@code --policy}. */
    private enum Name {
        FCFS(BackfillPolicy.STRICT_FCFS),
        EASY(BackfillPolicy.EASY_FCFS),
        CONSERVATIVE(BackfillPolicy.CONSERVATIVE_FCFS),
        CHECKPOINT(BackfillPolicy.CHECKPOINT_FCFS);

        private final BackfillPolicy policy;

        Name(final BackfillPolicy policy) {
            this.policy = policy;
        }
    }

    /** Where a preempted job waits. */
    private enum RequeueAt {
        HEAD,
        ORDER
    }

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description =
                    "fcfs (strict order), easy (default), conservative, or checkpoint (EASY in which jobs behind the"
                            + " head job start on a shrunk estimate and are checkpointed when its reservation is due)")
    private Name name = Name.EASY;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "order of waiting jobs: fcfs (default), sjf, priority, recent, smallest, expansion, compact")
    private @Nullable JobOrder order;

    @Option(
            names = "--candidates",
            paramLabel = "ORDER",
            description = "order in which jobs behind the reservations are tried (default: as --order)")
    private @Nullable JobOrder candidates;

    @Option(
            names = "--keep-head",
            arity = "1",
            paramLabel = "yes|no",
            description =
                    "whether the job with the first reservation keeps it until it starts (default: yes for checkpoint,"
                            + " else no)")
    private @Nullable Boolean keepHead;

    @Option(
            names = "--reservations",
            paramLabel = "N|all",
            description = "number of jobs with a reservation (default: that of the policy)")
    private @Nullable String reservations;

    @Option(
            names = "--estimate",
            paramLabel = "SOURCE",
            description =
                    "source of run time estimates: requested (default), actual, recent2 (mean of the user's last two),"
                            + " class (0.9 quantile of the job's class)")
    private Estimate estimate = Estimate.REQUESTED;

    @ArgGroup(exclusive = false, heading = "With --policy checkpoint:%n")
    private @Nullable PreemptionOptions preemption;

    /** The options of checkpoint backfill. */
    static final class PreemptionOptions {
        @Option(names = "--shrink", paramLabel = "P", description = "factor p, above 0 and below 1 (default: 0.1)")
        private double shrink = CheckpointPreemptionPolicy.PUBLISHED.shrink();

        @Option(
                names = "--threshold",
                paramLabel = "SECONDS",
                description = "only longer estimates are shrunk (default: 1800)")
        private long threshold_s = CheckpointPreemptionPolicy.PUBLISHED.threshold_s();

        @Option(
                names = "--learn",
                arity = "1",
                paramLabel = "yes|no",
                description = "take p from past runs of the class or user, --shrink if there are none (default: no)")
        private boolean learn;

        @Option(
                names = "--checkpoint-cost",
                paramLabel = "SECONDS",
                description = "duration of a checkpoint (default: 0)")
        private long checkpoint_s;

        @Option(names = "--restart-cost", paramLabel = "SECONDS", description = "duration of a restart (default: 0)")
        private long restart_s;

        @Option(
                names = "--max-cost-share",
                paramLabel = "SHARE",
                description =
                        "an estimate is shrunk only if checkpoint and restart take at most this share of it (default:"
                                + " 1)")
        private double maxCostShare = CheckpointPreemptionPolicy.PUBLISHED.maxCostShare();

        @Option(
                names = "--victims",
                paramLabel = "ORDER",
                description = "which jobs are preempted first: largest (default), fewest-cores, longest-left, newest")
        private VictimOrder victims = CheckpointPreemptionPolicy.PUBLISHED.victimOrder();

        @Option(
                names = "--ahead",
                arity = "1",
                paramLabel = "yes|no",
                description = "begin checkpoints early enough for the head job to start on time (default: no)")
        private boolean ahead;

        @Option(
                names = "--preemptions-per-job",
                paramLabel = "N",
                description = "how often one job may be preempted (default: 1)")
        private int preemptionsPerJob = CheckpointPreemptionPolicy.PUBLISHED.preemptionsPerJob();

        @Option(
                names = "--max-preempted-share",
                paramLabel = "SHARE",
                description = "maximum share of all jobs that is preempted, 0 to 1 (default: 1)")
        private double maxPreemptedShare = CheckpointPreemptionPolicy.PUBLISHED.maxPreemptedShare();

        @Option(
                names = "--requeue-at",
                paramLabel = "PLACE",
                description = "where a preempted job waits: head (default) or order")
        private RequeueAt requeueAt = RequeueAt.HEAD;

        @Option(
                names = "--uncheckpointable",
                paramLabel = "HOW",
                description = "jobs without checkpoint support: excluded (default, never shrunk) or requeue (lose their"
                        + " work)")
        private Uncheckpointable uncheckpointable = CheckpointPreemptionPolicy.PUBLISHED.uncheckpointable();

        @Option(
                names = "--checkpointable",
                paramLabel = "SHARE",
                description = "share of jobs that support checkpoints, 0 to 1, chosen by the seed (default: 1)")
        private double checkpointable = 1;

        private CheckpointPreemptionPolicy policy() {
            return CheckpointPreemptionPolicy.PUBLISHED
                    .shrink(shrink)
                    .threshold(threshold_s)
                    .learned(learn)
                    .costs(checkpoint_s, restart_s)
                    .maxCostShare(maxCostShare)
                    .victimOrder(victims)
                    .checkpointAhead(ahead)
                    .preemptionsPerJob(preemptionsPerJob)
                    .maxPreemptedShare(maxPreemptedShare)
                    .requeueAtHead(requeueAt == RequeueAt.HEAD)
                    .uncheckpointable(uncheckpointable);
        }
    }

    /** @throws IllegalArgumentException if the options contradict each other or a value is out of range */
    BackfillPolicy policy() {
        if (preemption != null && name != Name.CHECKPOINT) {
            throw new IllegalArgumentException(
                    "options of checkpoint backfill, such as --shrink, require --policy checkpoint");
        }
        final JobOrder first = order == null ? name.policy.order() : order;
        final BackfillPolicy ordered = name.policy
                .order(first)
                .candidates(candidates == null ? first : candidates)
                .keepsHead(keepHead == null ? name.policy.keepsHead() : keepHead)
                .estimate(estimate)
                .reservations(reservations == null ? name.policy.reservations() : depth(reservations));
        return preemption == null ? ordered : ordered.preemption(preemption.policy());
    }

    /** The share of jobs that support checkpoints. */
    double checkpointable() {
        return preemption == null ? 1 : preemption.checkpointable;
    }

    private static int depth(final String text) {
        if (text.equals("all")) {
            return BackfillPolicy.ALL;
        }
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("--reservations must be a whole number or all, got '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
