package io.millrace.agent.command;

import io.millrace.agent.identity.SignedPlace;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.identity.SubmissionSignature.Checked;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.command.Action;
import io.millrace.model.job.JobSpec;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requires the signature of submit-service for every action that runs a program as a user, or writes or removes files of a user: for the
 * owner, the job, what runs, and the place. Write access to the topic of commands is not enough.
 */
public final class SignatureAuthorization implements ActionAuthorization {

    private final @Nullable SubmissionSignature signatures;
    private final OwnerAccounts owners;
    private final SignedPlace place;

    /** @param signatures null: there are no keys, so every such action is refused */
    public SignatureAuthorization(
            final @Nullable SubmissionSignature signatures, final OwnerAccounts owners, final SignedPlace place) {
        this.signatures = signatures;
        this.owners = owners;
        this.place = place;
    }

    @Override
    public Optional<String> refusal(final Action action, final Instant now) {
        return switch (action) {
            case Action.Submit a ->
                owners.refusal(a.owner())
                        .or(() -> owners.refusalOfProject(a.spec()))
                        .or(() -> run(a.attempt(), a.owner(), a.spec(), a.directory(), a.signature(), now));
            case Action.Make a ->
                owners.refusal(a.owner())
                        .or(() -> run(a.attempt(), a.owner(), a.spec(), a.directory(), a.signature(), now));
            case Action.DryRun a -> owners.refusal(a.owner()).or(() -> dryRun(a, now));
            case Action.CopyTree a -> owners.refusal(a.owner()).or(() -> copy(a, now));
            case Action.RemoveCopy a -> owners.refusal(a.owner()).or(() -> removal(a, now));
            case Action.Start a -> Optional.empty();
            case Action.Hold a -> Optional.empty();
            case Action.Release a -> Optional.empty();
            case Action.Requeue a -> Optional.empty();
            case Action.Suspend a -> Optional.empty();
            case Action.Resume a -> Optional.empty();
            case Action.Checkpoint a -> Optional.empty();
            case Action.Signal a -> Optional.empty();
            case Action.Cancel a -> Optional.empty();
            case Action.Reclaim a -> Optional.empty();
            case Action.StopCopy a -> Optional.empty();
            case Action.AlterWalltime a -> Optional.empty();
            case Action.AlterPending a -> Optional.empty();
            case Action.SetTier a -> Optional.empty();
            case Action.SetPartitions a -> Optional.empty();
            case Action.SetLimit a -> owners.refusal(a.user());
        };
    }

    @Override
    public Optional<Veto> refusalToStart(final UserName owner) {
        return owners.lockOf(owner);
    }

    private Optional<String> run(
            final AttemptId attempt,
            final UserName owner,
            final JobSpec spec,
            final String directory,
            final String signature,
            final Instant now) {
        return signed(
                signature,
                Authorization.Kind.SUBMISSION,
                owner,
                attempt,
                valid -> script(valid, attempt, spec)
                        .or(() -> SubmissionSignature.expired(attempt.job(), valid.until(), now))
                        .or(() -> place.run(valid, owner, attempt, directory)),
                now);
    }

    private Optional<String> dryRun(final Action.DryRun order, final Instant now) {
        return signed(
                order.signature(),
                Authorization.Kind.DRY_RUN,
                order.owner(),
                order.attempt(),
                valid -> script(valid, order.attempt(), order.spec())
                        .or(() -> SubmissionSignature.expired(order.attempt().job(), valid.until(), now))
                        .or(() -> place.dryRun(valid, order.directory())),
                now);
    }

    private Optional<String> copy(final Action.CopyTree order, final Instant now) {
        final Optional<AttemptId> attempt = order.transfer().attempt();
        if (attempt.isEmpty()) {
            return Optional.of("transfer '" + order.transfer() + "' does not name an attempt");
        }
        return signed(
                order.signature(),
                Authorization.Kind.SUBMISSION,
                order.owner(),
                attempt.get(),
                valid -> SubmissionSignature.expired(attempt.get().job(), valid.copiesUntil(), now)
                        .or(() -> place.copy(
                                valid,
                                attempt.get(),
                                order,
                                owners.account(order.owner()).home())),
                now);
    }

    private Optional<String> removal(final Action.RemoveCopy order, final Instant now) {
        return signed(
                order.signature(),
                Authorization.Kind.SUBMISSION,
                order.owner(),
                order.attempt(),
                valid -> SubmissionSignature.expired(order.attempt().job(), valid.copiesUntil(), now)
                        .or(() -> place.removal(valid, order)),
                now);
    }

    private static Optional<Veto> script(final Authorization valid, final AttemptId attempt, final JobSpec spec) {
        return valid.covers(spec)
                ? Optional.empty()
                : Optional.of(VetoCode.SIGNATURE_SCRIPT.veto("the script, its arguments, its variables or the make step"
                        + " of job " + attempt.job() + " is not what was signed"));
    }

    private Optional<String> signed(
            final @Nullable String signature,
            final Authorization.Kind kind,
            final UserName owner,
            final AttemptId attempt,
            final Function<Authorization, Optional<Veto>> covers,
            final Instant now) {
        if (signatures == null) {
            return Optional.of("the agent has no public keys of submit-service; set millrace.agent.submission-keys");
        }
        return (switch (signatures.check(signature, kind, owner, attempt.job(), now)) {
                    case Checked.Invalid invalid -> Optional.of(invalid.veto());
                    case Checked.Valid valid ->
                        owners.refusalOfIssuer(valid.authorization().issuer())
                                .or(() -> covers.apply(valid.authorization()));
                })
                .map(Veto::reason);
    }
}
