package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.Qmgr;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The custom resource that carries hold marks. Checks whether the server has it, and creates it if the agent is a manager. */
public final class MarkResource {

    private final PbsSite site;
    private final Runner runner;
    private volatile boolean exists;

    public MarkResource(final PbsSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    /** Why jobs cannot be marked, with the remedy; empty if they can. */
    public Optional<String> missing() {
        if (exists) {
            return Optional.empty();
        }
        exists = isListed() || create();
        return exists
                ? Optional.empty()
                : Optional.of("the server has no resource '" + HoldMark.RESOURCE
                        + "' to mark Millrace's holds; create it as a manager: qmgr -c '" + HoldMark.CREATE + "'");
    }

    /** {@code DENIED} if jobs cannot be marked. */
    public Answer<Accepted> required() {
        return missing()
                .<Answer<Accepted>>map(reason -> Answer.trouble(Answer.Kind.DENIED, reason))
                .orElseGet(() -> Answer.ok(new Accepted("jobs can be marked")));
    }

    /** A version that cannot list resources still reports that the resource exists. */
    private boolean create() {
        return switch (runner.run(new Qmgr.Set(site, HoldMark.CREATE))) {
            case Answer.Ok<?> ok -> true;
            case Answer.Trouble<?> trouble ->
                trouble.reason().toLowerCase(Locale.ROOT).matches("(?s).*(exist|duplicate).*");
        };
    }

    private boolean isListed() {
        return runner.run(new Qmgr.Show(site, "list resource " + HoldMark.RESOURCE)) instanceof Answer.Ok<?> ok
                && ok.value() instanceof List<?> found
                && !found.isEmpty();
    }
}
