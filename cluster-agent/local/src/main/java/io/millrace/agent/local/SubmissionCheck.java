package io.millrace.agent.local;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.UserSwitch;
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

/** Checks whether this cluster accepts a submission, and finds the account that runs it. */
final class SubmissionCheck {

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final LocalSettings settings;
    private final Accounts accounts;

    SubmissionCheck(final LocalSettings settings, final Accounts accounts) {
        this.settings = settings;
        this.accounts = accounts;
    }

    /** The account that runs the job; empty for the agent's own account. */
    Answer<Optional<Account>> check(final Submission submission) {
        final JobSpec spec = submission.spec();
        final Resources wanted = spec.resources();
        if (spec.partition() != null && !spec.partition().equals(LocalView.PARTITION)) {
            return rejected("partition '" + spec.partition() + "' does not exist on cluster '" + settings.cluster()
                    + "'; use 'main'");
        }
        if (wanted.gpus() > 0) {
            return rejected("the job requests " + wanted.gpus() + " GPUs, but cluster '" + settings.cluster()
                    + "' has no GPUs");
        }
        if (wanted.cores() > settings.cores()
                || wanted.nodes() > settings.nodes()
                || (wanted.nodes() > 0 && wanted.cores() > wanted.nodes() * settings.coresPerNode())) {
            return rejected("the job requests " + wanted.cores() + " cores on "
                    + (wanted.nodes() == 0 ? "any number of" : Integer.toString(wanted.nodes()))
                    + " nodes, but cluster '" + settings.cluster() + "' has " + settings.nodes() + " nodes with "
                    + settings.coresPerNode() + " cores each");
        }
        for (final String variable : spec.environment().keySet()) {
            if (!VARIABLE.matcher(variable).matches()) {
                return rejected("'" + variable + "' is not a valid name of an environment variable");
            }
        }
        return settings.asOwner() ? account(submission) : Answer.ok(Optional.empty());
    }

    private Answer<Optional<Account>> account(final Submission submission) {
        final Optional<Account> account = accounts.named(submission.owner());
        if (account.isEmpty()) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "user '" + submission.owner() + "' has no account on cluster '" + settings.cluster()
                            + "'; request one from its operators");
        }
        final Optional<String> refusal = UserSwitch.refusal(account.get());
        if (refusal.isPresent()) {
            return Answer.trouble(Answer.Kind.DENIED, refusal.get());
        }
        final Account own = accounts.own();
        if (account.get().uid() == own.uid()) {
            return Answer.ok(Optional.empty());
        }
        if (own.uid() != 0) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "the agent runs as '" + own.name() + "' and cannot run jobs of '" + submission.owner()
                            + "'; run the agent as root");
        }
        return Answer.ok(account);
    }

    /** @throws IllegalStateException if jobs would run as root, or run as owners that cannot access their scripts */
    void checkRights() {
        if (accounts.own().uid() != 0) {
            return;
        }
        if (!settings.asOwner()) {
            throw new IllegalStateException("the agent runs as root, and Millrace runs nothing as root;"
                    + " set millrace.agent.local.run-as=owner, or start the agent as an ordinary user");
        }
        for (Path path = settings.stateDir(); path != null; path = path.getParent()) {
            try {
                if (!Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    throw new IllegalStateException("job owners cannot access " + settings.stateDir() + " because "
                            + path + " lacks execute permission for others; chmod o+x " + path
                            + ", or set local.state-dir to another directory");
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static <T> Answer<T> rejected(final String reason) {
        return Answer.trouble(Answer.Kind.REJECTED, reason);
    }

    /** The spec as stored in {@code job.json}; the script is stored in a separate file. */
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
                spec.checkpoint(),
                false);
    }
}
