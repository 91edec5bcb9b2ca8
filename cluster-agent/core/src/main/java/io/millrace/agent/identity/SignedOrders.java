package io.millrace.agent.identity;

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
 * Why an action is not what its owner has signed. It requires the signature of submit-service for every action that runs a program as a user, or writes or removes files of a user: for the
 * owner, the job, what runs, and the place. Write access to the topic of commands is not enough.
 */
public final class SignedOrders {

    private final @Nullable SubmissionSignature signatures;
    private final OwnerAccounts owners;
    private final SignedPlace place;

    /** @param signatures null: there are no keys, so every such action is refused */
    public SignedOrders(
            final @Nullable SubmissionSignature signatures, final OwnerAccounts owners, final SignedPlace place) {
        this.signatures = signatures;
        this.owners = owners;
        this.place = place;
    }

    /** Why nothing is done on this cluster with the rights of this user. */
    public Optional<String> owner(final UserName owner) {
        return owners.refusal(owner);
    }

    /** Why no job with this project is submitted. */
    public Optional<String> project(final JobSpec spec) {
        return owners.refusalOfProject(spec);
    }

    /** @param order a submission or a make step */
    public Optional<String> run(final Action.OfOwner order, final Instant now) {
        return script(
                order,
                Authorization.Kind.SUBMISSION,
                now,
                valid -> place.run(valid, order.owner(), order.attempt(), order.directory()));
    }

    public Optional<String> dryRun(final Action.DryRun order, final Instant now) {
        return script(order, Authorization.Kind.DRY_RUN, now, valid -> place.dryRun(valid, order.directory()));
    }

    public Optional<String> copy(final Action.CopyTree order, final Instant now) {
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

    public Optional<String> removal(final Action.RemoveCopy order, final Instant now) {
        return signed(
                order.signature(),
                Authorization.Kind.SUBMISSION,
                order.owner(),
                order.attempt(),
                valid -> SubmissionSignature.expired(order.attempt().job(), valid.copiesUntil(), now)
                        .or(() -> place.removal(valid, order)),
                now);
    }

    private Optional<String> script(
            final Action.OfOwner order,
            final Authorization.Kind kind,
            final Instant now,
            final Function<Authorization, Optional<Veto>> there) {
        return signed(
                order.signature(),
                kind,
                order.owner(),
                order.attempt(),
                valid -> changed(valid, order)
                        .or(() -> SubmissionSignature.expired(order.attempt().job(), valid.until(), now))
                        .or(() -> there.apply(valid)),
                now);
    }

    private static Optional<Veto> changed(final Authorization valid, final Action.OfOwner order) {
        return valid.covers(order.spec())
                ? Optional.empty()
                : Optional.of(VetoCode.SIGNATURE_SCRIPT.veto("the script, its arguments, its variables or the make step"
                        + " of job " + order.attempt().job() + " is not what was signed"));
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
