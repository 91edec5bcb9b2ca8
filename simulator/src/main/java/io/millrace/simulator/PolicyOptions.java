package io.millrace.simulator;

import io.millrace.backfill.domain.job.Estimate;
import io.millrace.backfill.domain.job.JobOrder;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The knobs of the planner on the command line. */
final class PolicyOptions {

    static final String USAGE = """
              --policy           fcfs: strict order; easy (default); conservative; checkpoint: EASY, and jobs behind the head start on a
                                 shrunk estimate and are checkpointed if it is due
              --order            who comes first: fcfs (default), sjf, priority, recent, smallest, expansion, compact
              --keep-head        yes: who holds the first reservation keeps it until it starts (with checkpoint yes, else no)
              --candidates       in which order jobs behind the reservations are tried; the same names; default: as --order
              --reservations     0, 1, N or all, instead of what the policy says
              --estimate         requested (default), actual, recent2 (mean of the user's last two), class (0.9 quantile of its class)
            with --policy checkpoint:
              --shrink           p, above 0 and below 1 (0.1)
              --threshold        seconds t: only longer estimates are shrunk (1800)
              --learn            yes: p from what jobs of the class or user needed so far; --shrink where nothing is known (no)
              --checkpoint-cost  seconds that a checkpoint keeps the cores (0)
              --restart-cost     seconds that a restart keeps the cores (0)
              --worth            checkpoint and restart may take this share of the estimate at most, or the job is not shrunk (1)
              --victims          whom to cut first: largest (default), fewest-cores, longest-left, newest
              --ahead            yes: begin checkpoints so early that the head starts on time (no)
              --cuts-per-job     how often one job may be cut at most (1)
              --share            of all jobs that may be cut at most, 0 to 1 (1)
              --requeue-at       head (default) or order: where a job that was cut waits
              --uncheckpointable excluded (default): never shrunk; requeue: cut all the same, its work lost
              --checkpointable   share of jobs that can be checkpointed, 0 to 1 (1); the seed decides which
            """;

    /** What a policy that cuts jobs takes beside the others. */
    private static final Set<String> CUTTING = Set.of(
            "--shrink",
            "--threshold",
            "--learn",
            "--checkpoint-cost",
            "--restart-cost",
            "--worth",
            "--victims",
            "--ahead",
            "--cuts-per-job",
            "--share",
            "--requeue-at",
            "--uncheckpointable",
            "--checkpointable");

    static final Set<String> KNOWN = Stream.concat(
                    Stream.of("--policy", "--order", "--candidates", "--keep-head", "--reservations", "--estimate"),
                    CUTTING.stream())
            .collect(Collectors.toUnmodifiableSet());

    private PolicyOptions() {}

    /** The names of {@code --policy}. */
    private enum Name {
        FCFS,
        EASY,
        CONSERVATIVE,
        CHECKPOINT
    }

    /** The names of {@code --requeue-at}. */
    private enum RequeueAt {
        HEAD,
        ORDER
    }

    static BackfillPolicy policy(final Arguments given) {
        final Name name = given.oneOf("--policy", Name.class).orElse(Name.EASY);
        final BackfillPolicy base = switch (name) {
            case FCFS -> BackfillPolicy.STRICT_FCFS;
            case EASY -> BackfillPolicy.EASY_FCFS;
            case CONSERVATIVE -> BackfillPolicy.CONSERVATIVE_FCFS;
            case CHECKPOINT -> BackfillPolicy.CHECKPOINT_FCFS.preemption(cutting(given));
        };
        if (name != Name.CHECKPOINT) {
            CUTTING.stream().filter(given::has).findFirst().ifPresent(option -> {
                throw new IllegalArgumentException(option + " goes with --policy checkpoint alone");
            });
        }
        final JobOrder order = given.oneOf("--order", JobOrder.class).orElse(base.order());
        return base.order(order)
                .candidates(given.oneOf("--candidates", JobOrder.class).orElse(order))
                .keepsHead(given.has("--keep-head") ? given.flag("--keep-head") : base.keepsHead())
                .estimate(given.oneOf("--estimate", Estimate.class).orElse(base.estimate()))
                .reservations(given.read("--reservations", PolicyOptions::reservations)
                        .orElse(base.reservations()));
    }

    private static int reservations(final String text) {
        if (text.equals("all")) {
            return BackfillPolicy.ALL;
        }
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(
                    "--reservations must be a whole number from 0, or all; got '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static CheckpointPreemptionPolicy cutting(final Arguments given) {
        final CheckpointPreemptionPolicy base = CheckpointPreemptionPolicy.PUBLISHED;
        return base.shrink(given.number("--shrink", 0.001, 0.999).orElse(base.shrink()))
                .threshold(given.whole("--threshold", 0).orElse(base.threshold_s()))
                .learned(given.flag("--learn"))
                .costs(
                        given.whole("--checkpoint-cost", 0).orElse(0L),
                        given.whole("--restart-cost", 0).orElse(0L))
                .maxCostShare(given.number("--worth", 0.001, 1000).orElse(base.maxCostShare()))
                .victimOrder(given.oneOf("--victims", CheckpointPreemptionPolicy.VictimOrder.class)
                        .orElse(base.victimOrder()))
                .checkpointAhead(given.flag("--ahead"))
                .preemptionsPerJob(given.count("--cuts-per-job").orElse(base.preemptionsPerJob()))
                .maxPreemptedShare(given.number("--share", 0, 1).orElse(base.maxPreemptedShare()))
                .requeueAtHead(given.oneOf("--requeue-at", RequeueAt.class).orElse(RequeueAt.HEAD) == RequeueAt.HEAD)
                .uncheckpointable(given.oneOf("--uncheckpointable", CheckpointPreemptionPolicy.Uncheckpointable.class)
                        .orElse(base.uncheckpointable()));
    }
}
