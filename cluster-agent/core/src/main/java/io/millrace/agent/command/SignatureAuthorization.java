package io.millrace.agent.command;

import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import io.millrace.model.job.JobSpec;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requires the signature of submit-service for every action that runs a user's script. Write access to the topic of commands is not enough. */
public final class SignatureAuthorization implements ActionAuthorization {

    private final @Nullable SubmissionSignature signatures;
    private final OwnerAccounts owners;

    /** @param signatures null: there are no keys, so every script is refused */
    public SignatureAuthorization(final @Nullable SubmissionSignature signatures, final OwnerAccounts owners) {
        this.signatures = signatures;
        this.owners = owners;
    }

    @Override
    public Optional<String> refusal(final Action action, final Instant now) {
        return switch (action) {
            case Action.Submit a ->
                owners.refusal(a.owner()).or(() -> unsigned(a.attempt(), a.owner(), a.spec(), a.signature(), now));
            case Action.Make a ->
                owners.refusal(a.owner()).or(() -> unsigned(a.attempt(), a.owner(), a.spec(), a.signature(), now));
            case Action.DryRun a ->
                owners.refusal(a.owner()).or(() -> unsigned(a.attempt(), a.owner(), a.spec(), a.signature(), now));
            case Action.CopyTree a -> owners.refusal(a.owner());
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
            case Action.RemoveCopy a -> owners.refusal(a.owner());
            case Action.AlterWalltime a -> Optional.empty();
            case Action.AlterPending a -> Optional.empty();
            case Action.SetTier a -> Optional.empty();
            case Action.SetPartitions a -> Optional.empty();
            case Action.SetLimit a -> owners.refusal(a.user());
        };
    }

    private Optional<String> unsigned(
            final AttemptId attempt,
            final UserName owner,
            final JobSpec spec,
            final String signature,
            final Instant now) {
        if (signatures == null) {
            return Optional.of("the agent has no public keys of submit-service; set millrace.agent.submission-keys");
        }
        return signatures.verify(signature, owner, attempt.job(), spec, now).map(Veto::reason);
    }
}
