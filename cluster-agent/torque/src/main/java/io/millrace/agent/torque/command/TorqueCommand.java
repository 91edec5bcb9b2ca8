package io.millrace.agent.torque.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.torque.query.HoldMark;
import io.millrace.agent.torque.query.TorqueErrors;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that changes something. It prints nothing on success.
 *
 * @param words program and arguments
 */
public record TorqueCommand(TorqueSite site, List<String> words) implements CommandLine<Accepted> {

    private static final Duration LIMIT = Duration.ofSeconds(15);
    /** The server waits for the node's answer before it reports a suspension or a start (5 s were observed). */
    private static final Duration WITH_NODE = Duration.ofSeconds(45);

    public TorqueCommand {
        words = List.copyOf(words);
    }

    private static TorqueCommand of(final TorqueSite site, final String program, final String... arguments) {
        final List<String> words = new ArrayList<>(List.of(site.program(program)));
        words.addAll(List.of(arguments));
        return new TorqueCommand(site, words);
    }

    /**
     * The text that {@code qalter} writes into a job's comment.
     *
     * @param why for users; null for none. In quotes, because a comma can begin the next attribute
     */
    record Comment(HoldMark mark, @Nullable UserSentence why) {

        @Override
        public String toString() {
            return why == null ? "comment=" + mark : "comment=\"" + mark + " [" + why + "]\"";
        }
    }

    /** Adds a hold of one type; other holds stay. */
    static TorqueCommand hold(final TorqueSite site, final char letter, final String id) {
        return of(site, "qhold", "-h", String.valueOf(letter), id);
    }

    /** Releases the hold of one type; other holds stay. */
    static TorqueCommand release(final TorqueSite site, final char letter, final List<String> ids) {
        final List<String> words = new ArrayList<>(List.of(site.program("qrls"), "-h", String.valueOf(letter)));
        words.addAll(ids);
        return new TorqueCommand(site, words);
    }

    static TorqueCommand comment(final TorqueSite site, final Comment comment, final List<String> ids) {
        final List<String> words = new ArrayList<>(List.of(site.program("qalter"), "-W", comment.toString()));
        words.addAll(ids);
        return new TorqueCommand(site, words);
    }

    /**
     * Sets holds and comment of a running job in one command. {@code qhold} would checkpoint a job that allows it, and fails if
     * checkpoints are expected and the job has none.
     *
     * @param letters all hold types from now on; empty for none ({@code n})
     */
    static TorqueCommand holdRunning(
            final TorqueSite site, final String letters, final Comment comment, final String id) {
        return of(site, "qalter", "-h", letters.isEmpty() ? "n" : letters, "-W", comment.toString(), id);
    }

    public static TorqueCommand name(final TorqueSite site, final String name, final String id) {
        return of(site, "qalter", "-N", name, id);
    }

    public static TorqueCommand walltime(final TorqueSite site, final String walltime, final String id) {
        return of(site, "qalter", "-l", "walltime=" + walltime, id);
    }

    /** @param hosts hosts to use; qrun itself does not check whether the job fits */
    public static TorqueCommand run(final TorqueSite site, final String hosts, final String id) {
        return of(site, "qrun", "-H", hosts, id);
    }

    /** Moves a job to another queue of this server. The holds stay. */
    public static TorqueCommand move(final TorqueSite site, final String queue, final String id) {
        return of(site, "qmove", queue, id);
    }

    static TorqueCommand rerun(final TorqueSite site, final String id) {
        return of(site, "qrerun", id);
    }

    /** @param signal a name, or {@code suspend}, {@code resume} */
    static TorqueCommand signal(final TorqueSite site, final String signal, final String id) {
        return of(site, "qsig", "-s", signal, id);
    }

    public static TorqueCommand delete(final TorqueSite site, final String id) {
        return of(site, "qdel", id);
    }

    /** Switches the local scheduler on or off. */
    public static TorqueCommand scheduling(final TorqueSite site, final boolean on) {
        return of(site, "qmgr", "-c", "set server scheduling = " + (on ? "True" : "False"));
    }

    @Override
    public List<String> argv() {
        return words;
    }

    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    @Override
    public Duration limit() {
        return words.get(0).endsWith("qsig")
                        || words.get(0).endsWith("qrun")
                        || words.get(0).endsWith("qrerun")
                ? WITH_NODE
                : LIMIT;
    }

    @Override
    public Answer<Accepted> read(final CommandResult result) {
        return result.succeeded() && !complains(result)
                ? Answer.ok(new Accepted(String.join(" ", words)))
                : TorqueErrors.of("'" + String.join(" ", words) + "'", result, Answer.Kind.REJECTED);
    }

    /** Some versions print an error and exit with 0. Each error message begins with the program's name. */
    private boolean complains(final CommandResult result) {
        final String name = words.get(0).substring(words.get(0).lastIndexOf('/') + 1);
        return (result.errorText() + "\n" + result.outputText())
                .lines()
                .anyMatch(line -> line.startsWith(name + ":") || line.startsWith(name + " obj="));
    }
}
