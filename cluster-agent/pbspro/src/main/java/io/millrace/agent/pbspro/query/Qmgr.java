package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.FullFormat;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs {@code qmgr -c} with one directive. */
public final class Qmgr {

    private static final Pattern HEAD = Pattern.compile("(?:Server|Sched|Queue|Resource|Node|Hook) (\\S+)");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Qmgr() {}

    /** Runs a directive that changes something. User names in it must have been validated. */
    public record Set(PbsSite site, String directive) implements CommandLine<Accepted> {
        @Override
        public List<String> argv() {
            return List.of(site.program("qmgr"), "-c", directive);
        }

        @Override
        public Map<String, String> environment() {
            return site.commandEnvironment();
        }

        @Override
        public Duration limit() {
            return LIMIT;
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted("qmgr: " + directive))
                    : complaint(site, directive, result, Answer.Kind.REJECTED);
        }
    }

    /** Runs {@code list server}, {@code list sched} or {@code list resource …}. */
    public record Show(PbsSite site, String directive) implements CommandLine<List<PbsObject>> {
        @Override
        public List<String> argv() {
            return List.of(site.program("qmgr"), "-c", directive);
        }

        @Override
        public Map<String, String> environment() {
            return site.queryEnvironment();
        }

        @Override
        public Duration limit() {
            return LIMIT;
        }

        @Override
        public Answer<List<PbsObject>> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(FullFormat.read(result.outputText(), HEAD))
                    : complaint(site, directive, result, Answer.Kind.UNREADABLE);
        }
    }

    private static <T> Answer<T> complaint(
            final PbsSite site, final String directive, final CommandResult result, final Answer.Kind otherwise) {
        // Exit code 3: could not connect, whatever the message.
        return result.exit() == 3
                ? Answer.trouble(
                        Answer.Kind.DOWN,
                        "qmgr could not connect: " + result.errorText()
                                + "; check that pbs_server is running and that PBS_SERVER in pbs.conf of this host names it")
                : PbsErrors.of(site, "qmgr -c '" + directive + "'", result, otherwise);
    }
}
