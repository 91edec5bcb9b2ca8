package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Denied;
import io.millrace.agent.exec.Helper;
import io.millrace.agent.exec.RecentAnswers;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.session.LoginUmask;
import io.millrace.agent.session.Program;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The accounts that the agent uses to act for users. */
public final class OwnerAccounts {

    private static final Logger LOG = LoggerFactory.getLogger(OwnerAccounts.class);

    /** How long after a change of a profile jobs may still get the earlier umask. */
    private static final Duration UMASK_KEPT = Duration.ofMinutes(1);

    /** The uid of files and processes without an owner. */
    private static final int NOBODY = 65534;

    private final Accounts accounts;
    private final Runner runner;
    private final boolean asOwner;
    private final Supplier<SiteNames> names;
    private final int minUid;
    private final Function<UserName, Optional<String>> locks;
    private final RecentAnswers<UserName, Optional<String>> umasks = new RecentAnswers<>(UMASK_KEPT);

    /** Without mapping, and for accounts of any uid. */
    public OwnerAccounts(final Accounts accounts, final Runner runner, final boolean asOwner) {
        this(accounts, runner, asOwner, () -> SiteNames.same(ClusterId.of("local")), 1);
    }

    /** Without locked users. */
    public OwnerAccounts(
            final Accounts accounts,
            final Runner runner,
            final boolean asOwner,
            final Supplier<SiteNames> names,
            final int minUid) {
        this(accounts, runner, asOwner, names, minUid, user -> Optional.empty());
    }

    /**
     * @param asOwner false: everything runs with the rights of the agent, and the owner is only a label
     * @param names maps site users to accounts
     * @param minUid accounts with a smaller uid are system accounts, for which the agent does not act
     * @param locks why nothing is done for a site user whom an operator has locked; empty for others
     * @throws IllegalStateException if everything would run as root
     */
    public OwnerAccounts(
            final Accounts accounts,
            final Runner runner,
            final boolean asOwner,
            final Supplier<SiteNames> names,
            final int minUid,
            final Function<UserName, Optional<String>> locks) {
        this.accounts = accounts;
        this.runner = runner;
        this.asOwner = asOwner;
        this.names = names;
        this.minUid = minUid;
        this.locks = locks;
        if (!asOwner && accounts.own().uid() == 0) {
            throw new IllegalStateException("the agent runs as root, and Millrace runs nothing as root;"
                    + " set millrace.agent.local.run-as=owner, or start the agent as an ordinary user");
        }
    }

    /** Why the agent does not act for this site user; empty if it does. */
    public Optional<String> refusal(final UserName owner) {
        return locks.apply(owner)
                .or(() -> names.get().refusal(owner))
                .or(() -> refusalOfAccount(names.get().account(owner)));
    }

    /** Why the job is not charged to its project on this cluster; empty if it is, or has none. */
    public Optional<String> refusalOfProject(final JobSpec spec) {
        return Optional.ofNullable(spec.project())
                .flatMap(project -> names.get().refusal(project));
    }

    /** Why no job of this site user starts, also if the user submitted it directly; empty if the user is not locked. */
    public Optional<Veto> lockOf(final UserName owner) {
        return locks.apply(owner).map(VetoCode.USER_LOCKED::veto);
    }

    /** Why the agent does nothing for a user whom this issuer vouched for; empty if it accepts the issuer. */
    public Optional<Veto> refusalOfIssuer(final @Nullable String issuer) {
        final SiteMappingObserved mapping = names.get().siteMapping();
        return mapping.accepts(issuer == null ? null : ClusterId.of(issuer))
                ? Optional.empty()
                : Optional.of(VetoCode.ISSUER_NOT_ACCEPTED.veto("the login on '" + issuer
                        + "' vouched for the owner, and '" + mapping.cluster() + "' does not accept it"));
    }

    /** Why the agent does not act for this account of the cluster; empty if it does. */
    public Optional<String> refusalOfAccount(final UserName account) {
        if (account.value().equals("root")) {
            return Optional.of("Millrace does not run jobs as 'root'; submit as an ordinary user");
        }
        if (!asOwner) {
            return Optional.empty();
        }
        final Optional<Account> found = accounts.named(account);
        if (found.isEmpty()) {
            return Optional.of("user '" + account + "' has no account on this cluster; ask its operators for one");
        }
        return UserSwitch.refusal(found.get()).or(() -> refusalOfSystemAccount(found.get()));
    }

    private Optional<String> refusalOfSystemAccount(final Account account) {
        return minUid > 1 && (account.uid() < minUid || account.uid() == NOBODY)
                ? Optional.of("account '" + account.name() + "' is a system account (uid "
                        + account.uid()
                        + (account.uid() == NOBODY ? "" : " is less than millrace.agent.min-uid " + minUid)
                        + "); submit as an ordinary user")
                : Optional.empty();
    }

    /** @throws IllegalStateException if the account does not exist; check {@link #refusal} first */
    public Account account(final UserName owner) {
        final UserName account = names.get().account(owner);
        return asOwner
                ? accounts.named(account)
                        .orElseThrow(() -> new IllegalStateException("account '" + account + "' not found"))
                : accounts.own();
    }

    /** Runs with the rights of this site user what the authority covers. */
    public Runner runner(final UserName owner, final Authority authority) {
        return asOwner ? runner.as(names.get().account(owner), onThisCluster(authority)) : runner;
    }

    /** The authority for this cluster. */
    public Authority onThisCluster(final Authority authority) {
        return authority.on(names.get().siteMapping().cluster());
    }

    /** Runs with the rights of this site user the few commands that no signature covers. */
    public Runner runner(final UserName owner) {
        return runner(owner, Authority.CHECK);
    }

    /** Whether the agent becomes this owner through the helper. */
    public boolean needsHelper(final UserName owner) {
        return asOwner && UserSwitch.needsHelper(accounts.own(), account(owner));
    }

    /** Runs with the rights of the account that owns a local job; denied for system accounts. */
    public Runner runnerOfAccount(final UserName account) {
        return refusalOfAccount(account).<Runner>map(Denied::new).orElse(asOwner ? runner.as(account) : runner);
    }

    /** The account of a site user on this cluster. */
    public UserName toCluster(final UserName owner) {
        return names.get().account(owner);
    }

    /** The job with the project name of this cluster. */
    public JobSpec toCluster(final JobSpec spec) {
        return names.get().toCluster(spec);
    }

    /** Environment modules of this cluster, by software name. */
    public Map<String, List<String>> modules() {
        return names.get().siteMapping().modules();
    }

    /** The uid of the agent, which owns the files it creates. */
    public int ownUid() {
        return accounts.own().uid();
    }

    /** Whether the agent can give files to this user: it is root, or the user itself. */
    public boolean canGiveFilesTo(final UserName owner) {
        return !UserSwitch.needsHelper(accounts.own(), account(owner));
    }

    /** The command line prefix of a session of this owner; with the helper, the one that signals it. */
    public List<String> prefix(final UserName owner) {
        return needsHelper(owner) ? Helper.signals(account(owner)) : UserSwitch.prefix(accounts.own(), account(owner));
    }

    /** What a session of this owner has as input before the variables: the request to the helper, or nothing. */
    public byte[] request(
            final UserName owner,
            final Authority authority,
            final String directory,
            final Duration limit,
            final List<String> argv,
            final Map<String, String> variables) {
        return needsHelper(owner)
                ? Helper.request(onThisCluster(authority), account(owner), directory, limit, argv, variables)
                : new byte[0];
    }

    /**
     * The owner's login umask; null if it is unknown or programs run with the rights of the agent, whose umask then applies. Waits for the
     * owner's login shell, once a minute also if it fails: not for the agent's thread.
     */
    public @Nullable String loginUmask(final UserName owner) {
        if (!asOwner) {
            return null;
        }
        return umasks.get(owner, () -> Answer.ok(askUmask(owner))).get().orElse(null);
    }

    private Optional<String> askUmask(final UserName owner) {
        return switch (runner(owner).run(new LoginUmask())) {
            case Answer.Ok<String> ok -> Optional.of(ok.value());
            case Answer.Trouble<String> trouble -> {
                LOG.atWarn()
                        .addKeyValue("reason", trouble.reason())
                        .log("login umask of user '{}' not found; files of the job get the agent's umask", owner);
                yield Optional.empty();
            }
        };
    }

    /** The environment of a program of this owner, before the variables set for it. */
    public Program.BaseEnvironment baseEnvironment() {
        return asOwner ? Program.BaseEnvironment.LOGIN : Program.BaseEnvironment.EMPTY;
    }

    /** Variables of every program of this user. Search path and language come from the login environment if there is one. */
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
