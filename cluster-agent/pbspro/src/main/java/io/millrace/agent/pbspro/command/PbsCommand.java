package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.JobVariables;
import io.millrace.agent.pbspro.query.PbsErrors;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that changes jobs. It prints nothing on success.
 *
 * @param program {@code qhold}, {@code qrls}…
 * @param arguments without the program
 * @param limit time limit of the command
 */
public record PbsCommand(PbsSite site, String program, List<String> arguments, Duration limit)
        implements CommandLine<Accepted> {

    /** Longer than PBS's own attempts to reach its server. */
    private static final Duration USUAL = Duration.ofSeconds(20);
    /** The server waits for the node's answer, by default up to 45 s ({@code job_requeue_timeout}). */
    private static final Duration WITH_NODE = Duration.ofSeconds(50);

    public PbsCommand {
        arguments = List.copyOf(arguments);
    }

    private static PbsCommand of(
            final PbsSite site, final Duration limit, final String program, final String... arguments) {
        return new PbsCommand(site, program, List.of(arguments), limit);
    }

    /** Sets a hold of type u, o or s. On a running job, PBS may checkpoint first, see {@link CheckpointAndVacate}. */
    static PbsCommand hold(final PbsSite site, final String holdType, final String id) {
        return of(site, WITH_NODE, "qhold", "-h", holdType, id);
    }

    /** Releases holds of the given types. Without a type, qrls releases only the user hold and does not report the others. */
    static PbsCommand release(final PbsSite site, final String holdType, final List<String> ids) {
        final List<String> arguments = new ArrayList<>(List.of("-h", holdType));
        arguments.addAll(ids);
        return new PbsCommand(site, "qrls", arguments, USUAL);
    }

    /** Starts a job regardless of the scheduler's order, also while the scheduler is off and from a stopped queue. */
    static PbsCommand run(final PbsSite site, final List<String> ids) {
        return new PbsCommand(site, "qrun", ids, WITH_NODE);
    }

    /** Moves a job to another queue of this server. The holds stay. */
    static PbsCommand move(final PbsSite site, final String queue, final String id) {
        return of(site, USUAL, "qmove", queue, id);
    }

    public static PbsCommand requeue(final PbsSite site, final String id) {
        return of(site, WITH_NODE, "qrerun", id);
    }

    /** @param signal a name with SIG, or suspend, resume */
    public static PbsCommand signal(final PbsSite site, final String signal, final String id) {
        return of(site, USUAL, "qsig", "-s", signal, id);
    }

    public static PbsCommand delete(final PbsSite site, final String id) {
        return of(site, WITH_NODE, "qdel", id);
    }

    public static PbsCommand alterResource(
            final PbsSite site, final String resource, final String value, final String id) {
        return of(site, USUAL, "qalter", "-l", resource + "=" + value, id);
    }

    /**
     * Changes a waiting job in one step, or not at all: its mark and, if not null, its holds and its comment.
     *
     * @param holds all hold types from now on
     */
    static PbsCommand mark(
            final PbsSite site,
            final HoldMark mark,
            final @Nullable String holds,
            final @Nullable UserSentence comment,
            final String id) {
        final List<String> arguments = new ArrayList<>();
        if (holds != null) {
            arguments.addAll(List.of("-h", holds));
        }
        arguments.addAll(List.of("-l", HoldMark.RESOURCE + "=" + mark));
        if (comment != null) {
            // In quotes, because a comma would begin the next attribute. The sentence contains none.
            arguments.addAll(List.of("-W", "comment=\"" + comment + "\""));
        }
        arguments.add(id);
        return new PbsCommand(site, "qalter", arguments, USUAL);
    }

    /**
     * @param name null: unchanged
     * @param select null: unchanged
     */
    public static PbsCommand alter(
            final PbsSite site, final @Nullable String name, final @Nullable String select, final String id) {
        final List<String> arguments = new ArrayList<>();
        if (name != null) {
            arguments.addAll(List.of("-N", JobVariables.shortName(name)));
        }
        if (select != null) {
            arguments.addAll(List.of("-l", "select=" + select));
        }
        arguments.add(id);
        return new PbsCommand(site, "qalter", arguments, USUAL);
    }

    /** Sets the number of runs. The owner of a job can only increase it. */
    static PbsCommand runCount(final PbsSite site, final long runs, final String id) {
        return of(site, USUAL, "qalter", "-W", "run_count=" + runs, id);
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of(site.program(program)));
        argv.addAll(arguments);
        return argv;
    }

    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    @Override
    public Answer<Accepted> read(final CommandResult result) {
        // On success PBS commands print nothing. Output with exit code 0 comes from a hook of the site.
        return result.succeeded()
                ? Answer.ok(new Accepted(text()))
                : PbsErrors.of(
                        site,
                        "'" + text() + "'",
                        result,
                        Answer.Kind.REJECTED,
                        program.equals("qmove")
                                ? "allow the job's owner to use that queue (acl_users, acl_groups)"
                                : null);
    }

    private String text() {
        return Path.of(program).getFileName() + " " + String.join(" ", arguments);
    }
}
