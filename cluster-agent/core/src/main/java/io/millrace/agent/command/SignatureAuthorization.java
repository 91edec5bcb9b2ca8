package io.millrace.agent.command;

import io.millrace.agent.action.AgentAction;
import io.millrace.agent.identity.SignedOrders;
import io.millrace.agent.identity.SignedPlace;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Permits what the owner has signed. Write access to the topic of commands is not enough. */
public final class SignatureAuthorization implements ActionAuthorization {

    private final OwnerAccounts owners;
    private final SignedOrders signed;

    /** @param signatures null: there are no keys, so every action with the rights of a user is refused */
    public SignatureAuthorization(
            final @Nullable SubmissionSignature signatures, final OwnerAccounts owners, final SignedPlace place) {
        this.owners = owners;
        this.signed = new SignedOrders(signatures, owners, place);
    }

    @Override
    public Optional<String> refusal(final Action action, final Instant now) {
        return AgentAction.of(action).unauthorized(signed, now);
    }

    @Override
    public Optional<Veto> refusalToStart(final UserName owner) {
        return owners.lockOf(owner);
    }
}
