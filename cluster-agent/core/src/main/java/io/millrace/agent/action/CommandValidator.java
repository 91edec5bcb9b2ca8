package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.Offered;
import io.millrace.model.AttemptId;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Validates a command before it is executed: what holds for every action, then what its action requires. */
public final class CommandValidator {

    private final Offered offered;

    /** @param capabilities what the cluster offers */
    public CommandValidator(final Set<Capability> capabilities) {
        this(() -> capabilities, missing -> Optional.empty());
    }

    public CommandValidator(
            final Supplier<Set<Capability>> capabilities, final Function<Capability, Optional<String>> withheld) {
        this.offered = new Offered(capabilities, withheld);
    }

    /** Checks expiry, permission and capabilities, without the state of the cluster. Empty if the command is valid. */
    public Optional<Result.Refused> validateStatic(final Command command, final Instant now) {
        final String name = "'" + command.action().name() + "'";
        if (now.isAfter(command.validUntil())) {
            return Optional.of(new Result.Refused(
                    Refusal.EXPIRED,
                    "command expired at " + command.validUntil() + "; it is " + now + " now; issue a new command"));
        }
        return command.issuer().mayIssue(command.action())
                ? offered.refusal(name, AgentAction.of(command.action()).needs())
                : Optional.of(new Result.Refused(Refusal.NOT_PERMITTED, command.issuer() + " may not issue " + name));
    }

    /**
     * Checks the preconditions and the state of the jobs on the live cluster. Empty if the command is valid.
     *
     * @param claimedCores idle cores that belong to the beneficiaries of running reclaims
     * @param known whether a job with this tag is in the queue or in accounting
     */
    public Optional<Result.Refused> validateLive(
            final Command command, final LiveCluster live, final int claimedCores, final Predicate<AttemptId> known) {
        final AgentAction action = AgentAction.of(command.action());
        final Guard guard = new Guard(live, claimedCores, offered);
        return interactive(action, live)
                .or(() -> command.preconditions().stream()
                        .flatMap(wanted -> violation(wanted, guard, known).stream())
                        .findFirst())
                .or(() -> action.refusal(guard));
    }

    /** Interactive jobs are observed and counted, but never preempted, held, signalled or changed; they are only started. */
    private static Optional<Result.Refused> interactive(final AgentAction action, final LiveCluster live) {
        return action.changedJobs().stream()
                .map(live::job)
                .filter(Objects::nonNull)
                .filter(job -> job.detail().interactive())
                .findFirst()
                .map(job -> new Result.Refused(
                        Refusal.NOT_PERMITTED, job.job() + " is an interactive job, which Millrace does not change"));
    }

    private static Optional<Result.Refused> violation(
            final Precondition wanted, final Guard guard, final Predicate<AttemptId> known) {
        return switch (wanted) {
            case Precondition.JobWaits waits -> guard.mustWaitForMillrace(waits.job());
            case Precondition.JobRuns runs -> guard.mustRun(runs.job());
            case Precondition.IdleCores idle ->
                guard.freeCores() >= idle.atLeast()
                        ? Guard.VALID
                        : Guard.stale("needs " + idle.atLeast() + " idle cores; " + guard.idleText());
            case Precondition.OwnerUses uses -> {
                final int used = guard.live().coresUsedBy(uses.owner());
                yield used >= uses.atLeastCores()
                        ? Guard.VALID
                        : Guard.stale("user '" + uses.owner() + "' uses " + used + " cores; expected at least "
                                + uses.atLeastCores());
            }
            case Precondition.AttemptAbsent absent ->
                known.test(absent.attempt())
                        ? Guard.stale("a job of attempt " + absent.attempt() + " already exists")
                        : Guard.VALID;
        };
    }
}
