package io.millrace.agent;

import io.millrace.agent.wlm.Account;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.Identity;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** With whose rights the agent does something for a user. */
public final class Owners {

    private final Accounts accounts;
    private final Runner runner;
    private final boolean asOwner;

    /** @param asOwner false: everything is done with the agent's own rights, and the owner is only a label */
    public Owners(final Accounts accounts, final Runner runner, final boolean asOwner) {
        this.accounts = accounts;
        this.runner = runner;
        this.asOwner = asOwner;
    }

    /** Why nothing is done for this user here; empty if there is no reason. */
    public Optional<String> refusal(final UserName owner) {
        if (owner.value().equals("root")) {
            return Optional.of("nothing runs as 'root' through Millrace; submit as an ordinary user");
        }
        if (!asOwner) {
            return Optional.empty();
        }
        final Optional<Account> account = accounts.named(owner);
        if (account.isEmpty()) {
            return Optional.of("user '" + owner + "' has no account on this cluster; ask its operators for one");
        }
        return account.get().uid() == 0
                ? Optional.of("'" + owner + "' is another name of root; submit as an ordinary user")
                : Optional.empty();
    }

    /** @throws IllegalStateException if the account is gone; ask {@link #refusal} first */
    public Account account(final UserName owner) {
        return asOwner
                ? accounts.named(owner)
                        .orElseThrow(() -> new IllegalStateException("the account of '" + owner + "' is gone"))
                : accounts.own();
    }

    public Runner runner(final UserName owner) {
        return asOwner ? runner.as(owner) : runner;
    }

    public List<String> prefix(final UserName owner) {
        return Identity.prefix(accounts.own(), account(owner), Set.of());
    }

    /** The variables that every program of this user gets. */
    public Map<String, String> environment(final UserName owner) {
        final Account account = account(owner);
        return Map.of(
                "PATH", "/usr/local/bin:/usr/bin:/bin",
                "LANG", "C.UTF-8",
                "HOME", account.home(),
                "SHELL", account.shell(),
                "USER", account.name().value(),
                "LOGNAME", account.name().value());
    }
}
