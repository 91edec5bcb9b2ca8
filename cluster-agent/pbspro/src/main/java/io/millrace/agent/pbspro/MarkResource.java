package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether this server has the resource that carries Millrace's word about a job; makes it where the agent is a manager. */
final class MarkResource {

    private final PbsSite site;
    private final Runner runner;
    private volatile boolean exists;

    MarkResource(final PbsSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    /** Why jobs cannot be marked here, and what would change that; empty if they can. */
    Optional<String> missing() {
        if (exists) {
            return Optional.empty();
        }
        exists = isListed() || create();
        return exists
                ? Optional.empty()
                : Optional.of("this server has no resource '" + HoldMark.RESOURCE
                        + "' to note whose hold it is; a manager makes it once: qmgr -c '" + HoldMark.CREATE + "'");
    }

    /** A version that cannot list resources still says that there is one. */
    private boolean create() {
        return switch (runner.run(new Qmgr.Set(site, HoldMark.CREATE))) {
            case Answer.Ok<?> ok -> true;
            case Answer.Trouble<?> trouble ->
                trouble.because().toLowerCase(Locale.ROOT).matches("(?s).*(exist|duplicate).*");
        };
    }

    private boolean isListed() {
        return runner.run(new Qmgr.Show(site, "list resource " + HoldMark.RESOURCE)) instanceof Answer.Ok<?> ok
                && ok.value() instanceof List<?> found
                && !found.isEmpty();
    }
}
