package io.millrace.agent.login;

import io.millrace.agent.exec.Accounts;
import io.millrace.model.UserName;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers one request of one known user:
 *
 * <pre>
 *   token           a token for whoever asks
 *   token USER      a token for USER: for root alone, or for the agent's own account where it runs everybody's jobs itself
 * </pre>
 *
 * The answer is one line: {@code ok TOKEN}, or {@code no} and a sentence for people.
 */
final class LoginHandler {

    private static final Pattern REQUEST = Pattern.compile("token(?: +(\\S{1,128}))? *\\r?");

    private final TokenIssuer issuer;
    private final Accounts accounts;
    private final boolean agentActsForAll;
    private final Function<UserName, Optional<UserName>> siteUser;

    LoginHandler(final TokenIssuer issuer, final Accounts accounts, final boolean agentSpeaksForAll) {
        this(issuer, accounts, agentSpeaksForAll, Optional::of);
    }

    /** @param siteUser the one site user who may speak for an account of this cluster; empty if there is none */
    LoginHandler(
            final TokenIssuer issuer,
            final Accounts accounts,
            final boolean agentSpeaksForAll,
            final Function<UserName, Optional<UserName>> siteUser) {
        this.siteUser = siteUser;
        this.issuer = issuer;
        this.accounts = accounts;
        this.agentActsForAll = agentSpeaksForAll;
    }

    /** @param peer the account name the kernel gave for the other side (a bare number where the account has none) */
    String answer(final String peer, final String request) {
        final Matcher read = REQUEST.matcher(request);
        if (!read.matches()) {
            return "no the request was not understood; ask 'token' or 'token USER'";
        }
        final String wanted = read.group(1) == null ? peer : read.group(1);
        if (!wanted.equals(peer) && !speaksForOthers(peer)) {
            return "no user '" + peer + "' cannot have a token of user '" + wanted + "'; log in as '" + wanted + "'";
        }
        try {
            final UserName user = UserName.of(wanted);
            if (!isLabel(peer) && accounts.named(user).isEmpty()) {
                return "no user '" + wanted + "' has no account on this cluster; ask its operators for one";
            }
            return siteUser.apply(user)
                    .map(person -> "ok " + issuer.tokenFor(person))
                    .orElseGet(() -> "no account '" + wanted + "' of this cluster is not one site user's own; ask its"
                            + " operators to look at its surroundings");
        } catch (final IllegalArgumentException e) {
            return "no '" + wanted + "' is not the name of a user";
        }
    }

    /** Where the agent runs everybody's jobs itself, users are names alone; only who may speak for all can use one without account. */
    private boolean isLabel(final String peer) {
        return agentActsForAll && speaksForOthers(peer);
    }

    private boolean speaksForOthers(final String peer) {
        try {
            return accounts.named(UserName.of(peer))
                    .map(account -> account.uid() == 0
                            || (agentActsForAll
                                    && account.uid() == accounts.own().uid()))
                    .orElse(false);
        } catch (final IllegalArgumentException e) {
            return false;
        }
    }
}
