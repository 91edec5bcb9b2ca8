package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classifies error messages of PBS commands. The message takes precedence, because qrun always exits with 2 and pbsnodes with 1.
 * Otherwise the exit code decides: it is the PBS error number (15000 and up) modulo 256.
 */
public final class CommandErrors {

    private record Known(String words, Kind kind) {}

    private static final List<Known> WORDS = List.of(
            new Known("connection refused", Kind.DOWN),
            new Known("cannot connect", Kind.DOWN),
            new Known("could not connect", Kind.DOWN),
            new Known("couldn't connect", Kind.DOWN),
            new Known("unknown host", Kind.DOWN),
            new Known("no route to host", Kind.DOWN),
            new Known("server shutting down", Kind.DOWN),
            new Known("communication failure", Kind.DOWN),
            new Known("no server to connect to", Kind.DOWN),
            new Known("invalid credential", Kind.DOWN),
            new Known("pbs_iff", Kind.DOWN),
            new Known("cannot get credentials", Kind.DOWN),
            new Known("end of file", Kind.TIMEOUT),
            new Known("premature end", Kind.TIMEOUT),
            new Known("protocol", Kind.TIMEOUT),
            new Known("connection timed out", Kind.TIMEOUT),
            new Known("timed out", Kind.TIMEOUT),
            new Known("unknown job id", Kind.NO_SUCH_JOB),
            new Known("illegally formed job identifier", Kind.NO_SUCH_JOB),
            new Known("unauthorized request", Kind.DENIED),
            new Known("bad uid", Kind.DENIED),
            new Known("bad gid", Kind.DENIED),
            new Known("access to queue is denied", Kind.DENIED),
            new Known("access from host not allowed", Kind.DENIED),
            new Known("permission denied", Kind.DENIED),
            new Known("job has finished", Kind.WRONG_STATE),
            new Known("request invalid for state", Kind.WRONG_STATE),
            new Known("while job running", Kind.WRONG_STATE),
            new Known("not rerunnable", Kind.WRONG_STATE),
            new Known("can not be resumed", Kind.WRONG_STATE),
            new Known("job is not running", Kind.WRONG_STATE));

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

    private CommandErrors() {}

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
        final String said = said(result);
        final Kind kind = kind(result.exit(), said, otherwise);
        return Answer.trouble(
                kind,
                what + " failed (exit " + result.exit() + "): " + (said.isEmpty() ? "no message" : said)
                        + remedy(site, kind, whenDenied));
    }

    static Kind kind(final int exit, final String said, final Kind otherwise) {
        final String words = said.toLowerCase(Locale.ROOT);
        return WORDS.stream()
                .filter(known -> words.contains(known.words))
                .findFirst()
                .map(Known::kind)
                .orElseGet(() -> CODES.getOrDefault(exit, otherwise));
    }

    /** Standard error, or standard output if standard error is empty. */
    private static String said(final CommandResult result) {
        final String error = result.complaint();
        if (!error.isEmpty()) {
            return error;
        }
        final String output = result.outputText().strip().replaceAll("\\s*\\R\\s*", "; ");
        return output.startsWith("{") || output.length() > 300 ? "" : output;
    }

    private static String remedy(final PbsSite site, final Kind kind, final @Nullable String whenDenied) {
        return switch (kind) {
            case DOWN -> "; check that pbs_server is running and that PBS_SERVER in pbs.conf of this host names it";
            case TIMEOUT -> "; pbs_server is busy or its host is unreachable; retry later";
            case DENIED -> "; " + (whenDenied == null ? operatorLine(site) : whenDenied);
            case STOPPED, NO_SUCH_JOB, WRONG_STATE, REJECTED, UNREADABLE -> "";
        };
    }

    /** The command by which a manager grants operator rights to the agent. */
    public static String operatorLine(final PbsSite site) {
        return "make the agent an operator: qmgr -c 'set server operators += " + site.agent() + "@*'";
    }
}
