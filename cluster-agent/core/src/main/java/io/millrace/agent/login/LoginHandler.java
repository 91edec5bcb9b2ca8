package io.millrace.agent.login;

import io.millrace.agent.exec.Accounts;
import io.millrace.model.UserName;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers a request; the kernel has identified the user:
 *
 * <pre>
 *   token           a token for the calling user; on clusters that run all jobs as the agent, only for the agent's account and root
 *   token USER      a token for USER; allowed for root, and for the agent's account on clusters that run all jobs as the agent
 * </pre>
 *
 * The answer is one line: {@code ok TOKEN}, or {@code no} and an error message.
 */
final class LoginHandler {

    private static final Pattern REQUEST = Pattern.compile("token(?: +(\\S{1,128}))? *\\r?");

    private final TokenIssuer issuer;
    private final Accounts accounts;
    private final boolean agentActsForAll;
    private final Function<UserName, Optional<UserName>> siteUser;
    private final Function<UserName, Optional<String>> refusal;

    /**
     * @param siteUser the only site user of an account of this cluster; empty if there is none or more than one
     * @param refusal why the agent does not act for an account; empty if it does
     */
    LoginHandler(
            final TokenIssuer issuer,
            final Accounts accounts,
            final boolean agentSpeaksForAll,
            final Function<UserName, Optional<UserName>> siteUser,
            final Function<UserName, Optional<String>> refusal) {
        this.siteUser = siteUser;
        this.refusal = refusal;
        this.issuer = issuer;
        this.accounts = accounts;
        this.agentActsForAll = agentSpeaksForAll;
    }

    /** Whether every user gets tokens, and not only the agent's account and root. */
    boolean servesAllUsers() {
        return !agentActsForAll;
    }

    /** @param peer the account name of the client as reported by the kernel (the uid if the account has no name) */
    String answer(final String peer, final String request) {
        final Matcher read = REQUEST.matcher(request);
        if (!read.matches()) {
            return "no invalid request; expected 'token' or 'token USER'";
        }
        if (agentActsForAll && !speaksForOthers(peer)) {
            return "no this cluster serves only '" + accounts.own().name() + "', whose account runs all its jobs";
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
            final Optional<String> refused =
                    isRoot(peer) && wanted.equals(peer) ? Optional.empty() : refusal.apply(user);
            if (refused.isPresent()) {
                return "no " + refused.get();
            }
            return siteUser.apply(user)
                    .map(person -> "ok " + issuer.tokenFor(person))
                    .orElseGet(() -> "no account '" + wanted + "' of this cluster does not belong to exactly one site"
                            + " user; ask its operators to check the site mapping");
        } catch (final IllegalArgumentException e) {
            return "no '" + wanted + "' is not the name of a user";
        }
    }

    /** Whether users need no account: the agent runs all jobs, and the peer may request tokens for all users. */
    private boolean isLabel(final String peer) {
        return agentActsForAll && speaksForOthers(peer);
    }

    private boolean speaksForOthers(final String peer) {
        return isRoot(peer) || (agentActsForAll && hasUid(peer, accounts.own().uid()));
    }

    /** Root is an operator, if the site lets this cluster vouch for it, and runs no jobs. */
    private boolean isRoot(final String peer) {
        return hasUid(peer, 0);
    }

    private boolean hasUid(final String peer, final int uid) {
        try {
            return accounts.named(UserName.of(peer))
                    .filter(account -> account.uid() == uid)
                    .isPresent();
        } catch (final IllegalArgumentException e) {
            return false;
        }
    }
}
