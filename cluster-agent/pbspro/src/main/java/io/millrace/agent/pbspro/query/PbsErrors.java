package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.KnownErrors;
import io.millrace.agent.wlm.KnownErrors.KnownError;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classifies error messages of PBS commands. The message takes precedence, because qrun always exits with 2 and pbsnodes with 1.
 * Otherwise the exit code decides: it is the PBS error number (15000 and up) modulo 256.
 */
public final class PbsErrors {

    private static final KnownErrors KNOWN = KnownErrors.of(
            new KnownError("connection refused", Kind.DOWN),
            new KnownError("cannot connect", Kind.DOWN),
            new KnownError("could not connect", Kind.DOWN),
            new KnownError("couldn't connect", Kind.DOWN),
            new KnownError("unknown host", Kind.DOWN),
            new KnownError("no route to host", Kind.DOWN),
            new KnownError("server shutting down", Kind.DOWN),
            new KnownError("communication failure", Kind.DOWN),
            new KnownError("no server to connect to", Kind.DOWN),
            new KnownError("invalid credential", Kind.DOWN),
            new KnownError("pbs_iff", Kind.DOWN),
            new KnownError("cannot get credentials", Kind.DOWN),
            new KnownError("end of file", Kind.TIMEOUT),
            new KnownError("premature end", Kind.TIMEOUT),
            new KnownError("protocol", Kind.TIMEOUT),
            new KnownError("connection timed out", Kind.TIMEOUT),
            new KnownError("timed out", Kind.TIMEOUT),
            new KnownError("unknown job id", Kind.NO_SUCH_JOB),
            new KnownError("illegally formed job identifier", Kind.NO_SUCH_JOB),
            new KnownError("unauthorized request", Kind.DENIED),
            new KnownError("bad uid", Kind.DENIED),
            new KnownError("bad gid", Kind.DENIED),
            new KnownError("access to queue is denied", Kind.DENIED),
            new KnownError("access from host not allowed", Kind.DENIED),
            new KnownError("permission denied", Kind.DENIED),
            new KnownError("insufficient amount of resource", Kind.DOES_NOT_FIT),
            new KnownError("not enough free nodes", Kind.DOES_NOT_FIT),
            new KnownError("not enough total nodes", Kind.DOES_NOT_FIT),
            new KnownError("no available resources on nodes", Kind.DOES_NOT_FIT),
            new KnownError("job has finished", Kind.WRONG_STATE),
            new KnownError("request invalid for state", Kind.WRONG_STATE),
            new KnownError("while job running", Kind.WRONG_STATE),
            new KnownError("not rerunnable", Kind.WRONG_STATE),
            new KnownError("can not be resumed", Kind.WRONG_STATE),
            new KnownError("job is not running", Kind.WRONG_STATE));

    private static final Map<Integer, Kind> CODES = Map.ofEntries(
            Map.entry(35, Kind.WRONG_STATE), // 15139 job has finished
            Map.entry(73, Kind.WRONG_STATE), // cannot be resumed by this signal
            Map.entry(153, Kind.NO_SUCH_JOB), // 15001
            Map.entry(159, Kind.DENIED), // 15007
            Map.entry(162, Kind.DOWN), // 15010 no server
            Map.entry(167, Kind.WRONG_STATE), // 15015 not while running
            Map.entry(168, Kind.WRONG_STATE), // 15016
            Map.entry(171, Kind.DENIED), // 15019
            Map.entry(174, Kind.DENIED), // 15022
            Map.entry(175, Kind.DENIED), // 15023
            Map.entry(190, Kind.WRONG_STATE), // 15038 not rerunnable
            Map.entry(255, Kind.DOWN)); // qstat without a server

    /** A hook of the site has rejected the request. Only qrun prints the number. */
    private static final int OF_HOOK = 15136;

    private PbsErrors() {}

    /** @param otherwise the kind of an unknown error: REJECTED for a command, UNREADABLE for a query */
    public static <T> Answer<T> of(
            final PbsSite site, final String what, final CommandResult result, final Kind otherwise) {
        return of(site, what, result, otherwise, null);
    }

    /** @param whenDenied remedy for a DENIED error; null to suggest operator rights for the agent */
    public static <T> Answer<T> of(
            final PbsSite site,
            final String what,
            final CommandResult result,
            final Kind otherwise,
            final @Nullable String whenDenied) {
        final String message = message(result);
        final Kind kind = kind(result.exit(), message, otherwise);
        return KnownErrors.failure(what, result.exit(), message, kind, remedy(site, kind, whenDenied));
    }

    static Kind kind(final int exit, final String message, final Kind otherwise) {
        // The message is any text of the site, such as "cannot connect to the licence server".
        if (exit == OF_HOOK % 256 || message.contains("(" + OF_HOOK + ")")) {
            return Kind.REJECTED;
        }
        return KNOWN.find(message).map(KnownError::kind).orElseGet(() -> CODES.getOrDefault(exit, otherwise));
    }

    /** Standard error, or standard output if standard error is empty. */
    private static String message(final CommandResult result) {
        final String error = result.errorText();
        if (!error.isEmpty()) {
            return error;
        }
        final String output = CommandResult.onOneLine(result.outputText(), "; ");
        return output.startsWith("{") || output.length() > 300 ? "" : output;
    }

    private static String remedy(final PbsSite site, final Kind kind, final @Nullable String whenDenied) {
        return switch (kind) {
            case DOWN -> "check that pbs_server is running and that PBS_SERVER in pbs.conf of this host names it";
            case TIMEOUT -> "pbs_server is busy or its host is unreachable; retry later";
            case DENIED -> whenDenied == null ? operatorLine(site) : whenDenied;
            case STOPPED, NO_SUCH_JOB, WRONG_STATE, DOES_NOT_FIT, REJECTED, UNREADABLE -> "";
        };
    }

    /** The command by which a manager grants operator rights to the agent. */
    public static String operatorLine(final PbsSite site) {
        return "make the agent an operator: qmgr -c 'set server operators += " + site.agent() + "@*'";
    }
}
