package io.millrace.agent.local;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.regex.Pattern;

/** What this cluster takes in, and as whom it runs. */
final class Admission {

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final LocalSettings settings;
    private final Accounts accounts;

    Admission(final LocalSettings settings, final Accounts accounts) {
        this.settings = settings;
        this.accounts = accounts;
    }

    /** The account the job will run with; empty for the agent's own. */
    Answer<Optional<Account>> check(final Submission submission) {
        final JobSpec spec = submission.spec();
        final Resources wanted = spec.resources();
        if (spec.partition() != null && !spec.partition().equals(LocalView.PARTITION)) {
            return rejected("no partition '" + spec.partition() + "' on '" + settings.cluster() + "', only 'main'");
        }
        if (wanted.gpus() > 0) {
            return rejected(
                    "it asks for " + wanted.gpus() + " GPUs; the nodes of '" + settings.cluster() + "' have none");
        }
        if (wanted.cores() > settings.cores()
                || wanted.nodes() > settings.nodes()
                || (wanted.nodes() > 0 && wanted.cores() > wanted.nodes() * settings.coresPerNode())) {
            return rejected("it asks for " + wanted.cores() + " cores on " + wanted.nodes() + " nodes (0: any); '"
                    + settings.cluster() + "' has " + settings.nodes() + " nodes of " + settings.coresPerNode()
                    + " cores");
        }
        for (final String variable : spec.environment().keySet()) {
            if (!VARIABLE.matcher(variable).matches()) {
                return rejected("'" + variable + "' is not the name of an environment variable");
            }
        }
        return settings.asOwner() ? account(submission) : Answer.ok(Optional.empty());
    }

    private Answer<Optional<Account>> account(final Submission submission) {
        final Optional<Account> account = accounts.named(submission.owner());
        if (account.isEmpty()) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "user '" + submission.owner() + "' has no account on '" + settings.cluster()
                            + "'; ask its operators for one");
        }
        final Account own = accounts.own();
        if (account.get().uid() == own.uid()) {
            return Answer.ok(Optional.empty());
        }
        if (own.uid() != 0) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "this agent runs as '" + own.name() + "' and cannot run jobs of '" + submission.owner()
                            + "': run it as root, or set local.run-as=agent");
        }
        return Answer.ok(account);
    }

    /** @throws IllegalStateException if jobs run as their owners, and these cannot get to their script */
    void checkReachable() {
        if (!settings.asOwner() || accounts.own().uid() != 0) {
            return;
        }
        for (Path path = settings.stateDir(); path != null; path = path.getParent()) {
            try {
                if (!Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    throw new IllegalStateException("owners of jobs cannot reach " + settings.stateDir() + ": " + path
                            + " lets nobody through; chmod o+x it or set local.state-dir to another place");
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static <T> Answer<T> rejected(final String because) {
        return Answer.trouble(Answer.Kind.REJECTED, because);
    }

    /** What the journal keeps of a spec: the script lies in a file of its own. */
    static JobSpec withoutScript(final JobSpec spec) {
        return new JobSpec(
                spec.name(),
                "",
                null,
                spec.resources(),
                spec.walltime(),
                spec.partition(),
                spec.project(),
                spec.environment(),
                spec.checkpoint());
    }
}
