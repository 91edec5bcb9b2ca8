package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.FullFormat;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Queries all objects of a kind, or some jobs, by {@code qstat -f} or {@code pbsnodes}.
 *
 * @param form JSON, or the full format for versions without JSON
 * @param history whether to include finished jobs ({@code -x})
 * @param ids ids of jobs; empty for all objects. In JSON, qstat prints only the first of several
 */
public record PbsQuery(PbsSite site, Kind kind, Form form, boolean history, List<String> ids)
        implements CommandLine<QueryResult> {

    /** Output format. */
    enum Form {
        JSON,
        TEXT
    }

    /** Kind of objects. */
    public enum Kind {
        /** Includes subjobs of arrays. */
        JOBS("qstat", List.of("-t", "-f"), "Jobs", Pattern.compile("Job Id:\\s*(\\S+)")),
        QUEUES("qstat", List.of("-Q", "-f"), "Queue", Pattern.compile("Queue:?\\s*(\\S+)")),
        SERVER("qstat", List.of("-B", "-f"), "Server", Pattern.compile("Server:?\\s*(\\S+)")),
        /** Hosts, with the sums of their vnodes. */
        NODES("pbsnodes", List.of("-a"), "nodes", Pattern.compile("([^\\s=]+)")),
        VNODES("pbsnodes", List.of("-av"), "nodes", Pattern.compile("([^\\s=]+)"));

        private final String program;
        private final List<String> options;
        private final String section;
        private final Pattern head;

        Kind(final String program, final List<String> options, final String section, final Pattern head) {
            this.program = program;
            this.options = options;
            this.section = section;
            this.head = head;
        }
    }

    static PbsQuery all(final PbsSite site, final Kind kind, final Form form) {
        return new PbsQuery(site, kind, form, false, List.of());
    }

    static PbsQuery job(final PbsSite site, final Form form, final String id) {
        return new PbsQuery(site, Kind.JOBS, form, false, List.of(id));
    }

    static PbsQuery jobs(final PbsSite site, final List<String> ids) {
        return new PbsQuery(site, Kind.JOBS, Form.TEXT, false, ids);
    }

    /** Waiting, running and finished jobs; with an empty {@code id} all jobs in the server's history. */
    static PbsQuery withHistory(final PbsSite site, final Form form, final String id) {
        return new PbsQuery(site, Kind.JOBS, form, true, id.isEmpty() ? List.of() : List.of(id));
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of(site.program(kind.program)));
        if (history) {
            argv.add("-x");
        }
        argv.addAll(kind.options);
        if (form == Form.JSON) {
            argv.addAll(List.of("-F", "json"));
        }
        argv.addAll(ids);
        return argv;
    }

    @Override
    public Map<String, String> environment() {
        return site.queryEnvironment();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Answer<QueryResult> read(final CommandResult result) {
        final String complaint = result.errorText();
        if (!result.succeeded()) {
            final Answer.Kind trouble = PbsErrors.kind(result.exit(), complaint, Answer.Kind.UNREADABLE);
            final boolean gone = trouble == Answer.Kind.NO_SUCH_JOB || trouble == Answer.Kind.WRONG_STATE;
            if (!gone || ids.isEmpty()) {
                return PbsErrors.of(site, name(), result, trouble);
            }
            return result.outputText().isBlank()
                    ? Answer.ok(new QueryResult(List.of(), complaint))
                    : listing(result, complaint);
        }
        // An unreachable server produces the same header as an empty cluster.
        return complaint.isEmpty() || PbsErrors.kind(0, complaint, Answer.Kind.UNREADABLE) != Answer.Kind.DOWN
                ? listing(result, complaint)
                : PbsErrors.of(site, name(), result, Answer.Kind.DOWN);
    }

    private Answer<QueryResult> listing(final CommandResult result, final String complaint) {
        try {
            final List<PbsObject> objects = form == Form.JSON
                    ? PbsJson.read(result.output(), kind.section)
                    : FullFormat.read(result.outputText(), kind.head);
            // Text without any object is not an empty cluster.
            return form == Form.TEXT
                            && objects.isEmpty()
                            && !result.outputText().isBlank()
                    ? Answer.trouble(
                            Answer.Kind.UNREADABLE,
                            "cannot read the output of " + name() + "; it starts with: " + first(result))
                    : Answer.ok(new QueryResult(objects, complaint));
        } catch (final IOException e) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE,
                    name() + " printed invalid JSON ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + "); it starts with: "
                            + first(result));
        }
    }

    private static String first(final CommandResult result) {
        final String line = result.outputText().lines().findFirst().orElse("nothing");
        return line.substring(0, Math.min(200, line.length()));
    }

    private String name() {
        return "'" + kind.program + " " + String.join(" ", argv().subList(1, argv().size())) + "'";
    }
}
