package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.session.Program;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** With whose rights the agent does something for a user. */
public final class OwnerAccounts {

    private final Accounts accounts;
    private final Runner runner;
    private final boolean asOwner;
    private final Supplier<SiteNames> names;
    private final int leastUid;

    /** Everybody by the own name, whatever the number of the account. */
    public OwnerAccounts(final Accounts accounts, final Runner runner, final boolean asOwner) {
        this(accounts, runner, asOwner, () -> SiteNames.same(ClusterId.of("local")), 1);
    }

    /**
     * @param asOwner false: everything is done with the agent's own rights, and the owner is only a label
     * @param names what the accounts of site users are
     * @param leastUid accounts below are the system's own: nothing is done for them
     */
    public OwnerAccounts(
            final Accounts accounts,
            final Runner runner,
            final boolean asOwner,
            final Supplier<SiteNames> names,
            final int leastUid) {
        this.accounts = accounts;
        this.runner = runner;
        this.asOwner = asOwner;
        this.names = names;
        this.leastUid = leastUid;
    }

    /** Why nothing is done for this site user here; empty if there is no reason. */
    public Optional<String> refusal(final UserName owner) {
        return names.get().refusal(owner).or(() -> refusalOfAccount(names.get().account(owner)));
    }

    private Optional<String> refusalOfAccount(final UserName account) {
        if (account.value().equals("root")) {
            return Optional.of("nothing runs as 'root' through Millrace; submit as an ordinary user");
        }
        if (!asOwner) {
            return Optional.empty();
        }
        final Optional<Account> found = accounts.named(account);
        if (found.isEmpty()) {
            return Optional.of("user '" + account + "' has no account on this cluster; ask its operators for one");
        }
        if (found.get().uid() == 0) {
            return Optional.of("'" + account + "' is another name of root; submit as an ordinary user");
        }
        return found.get().uid() < leastUid
                ? Optional.of("'" + account + "' is an account of the system (uid "
                        + found.get().uid() + ", people's begin at " + leastUid
                        + ", see millrace.agent.least-uid); submit as an ordinary user")
                : Optional.empty();
    }

    /** @throws IllegalStateException if the account is gone; ask {@link #refusal} first */
    public Account account(final UserName owner) {
        final UserName account = names.get().account(owner);
        return asOwner
                ? accounts.named(account)
                        .orElseThrow(() -> new IllegalStateException("the account of '" + account + "' is gone"))
                : accounts.own();
    }

    /** Runs with the rights of this site user. */
    public Runner runner(final UserName owner) {
        return asOwner ? runner.as(names.get().account(owner)) : runner;
    }

    /** Runs with the rights of the account that a job of the cluster itself belongs to, where these are a person's. */
    public Runner runnerOfAccount(final UserName account) {
        return refusalOfAccount(account).<Runner>map(Denied::new).orElse(asOwner ? runner.as(account) : runner);
    }

    private record Denied(String because) implements Runner {
        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            return Answer.trouble(Answer.Kind.DENIED, because);
        }

        @Override
        public Runner as(final UserName other) {
            return this;
        }
    }

    /** The name of a site user's account here. */
    public UserName toCluster(final UserName owner) {
        return names.get().account(owner);
    }

    /** A job as this cluster's workload manager is to understand it: charged to its own project. */
    public JobSpec toCluster(final JobSpec spec) {
        return names.get().toCluster(spec);
    }

    /** By name of a software, the modules of this cluster. */
    public Map<String, List<String>> modules() {
        return names.get().surroundings().modules();
    }

    /** Whose the files are that the agent makes. */
    public int ownUid() {
        return accounts.own().uid();
    }

    /** Whether the agent can hand files over to this user: to itself, or with root's rights. */
    public boolean canGiveFilesTo(final UserName owner) {
        return accounts.own().uid() == 0
                || accounts.own().uid() == account(owner).uid();
    }

    public List<String> prefix(final UserName owner) {
        return UserSwitch.prefix(accounts.own(), account(owner), Set.of());
    }

    /** What a program of an owner finds in its environment beside the variables named for it. */
    public Program.BaseEnvironment baseEnvironment() {
        return asOwner ? Program.BaseEnvironment.LOGIN : Program.BaseEnvironment.EMPTY;
    }

    /** The variables that every program of this user gets; search path and language are the login's, where there is one. */
    public Map<String, String> environment(final UserName owner) {
        final Account account = account(owner);
        final Map<String, String> variables = new HashMap<>(Map.of(
                "HOME", account.home(),
                "SHELL", account.shell(),
                "USER", account.name().value(),
                "LOGNAME", account.name().value()));
        if (!asOwner) {
            variables.putAll(Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "LANG", "C.UTF-8"));
        }
        return variables;
    }
}
