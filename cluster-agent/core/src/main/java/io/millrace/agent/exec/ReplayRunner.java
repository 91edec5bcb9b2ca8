package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers from a recorded transcript, so that the parsers of an adapter can be tested without its workload manager. A transcript is plain
 * text:
 *
 * <pre>
 *   $ sacct -P -j 12            the command line, arguments separated by one blank
 *   ! 1                         exit code, if it is not 0
 *   2> Slurm accounting is off  a line of standard error
 *   > 12|COMPLETED              a line of standard output
 * </pre>
 *
 * A command recorded several times gets its answers in that order, then the last answer again. Other lines are comments.
 */
public final class ReplayRunner implements Runner {

    private static final class Recorded {
        private int exit;
        private final StringBuilder output = new StringBuilder();
        private final StringBuilder error = new StringBuilder();
    }

    private final Map<String, List<Recorded>> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    public ReplayRunner(final String transcript) {
        Recorded current = new Recorded();
        for (final String line : transcript.split("\n")) {
            if (line.startsWith("$ ")) {
                current = new Recorded();
                answers.computeIfAbsent(line.substring(2), l -> new ArrayList<>())
                        .add(current);
            } else if (line.startsWith("! ")) {
                current.exit = Integer.parseInt(line.substring(2).strip());
            } else if (line.startsWith("2> ")) {
                current.error.append(line.substring(3)).append('\n');
            } else if (line.startsWith("> ") || line.equals(">")) {
                current.output
                        .append(line.length() > 1 ? line.substring(2) : "")
                        .append('\n');
            }
        }
    }

    @Override
    public synchronized <T> Answer<T> run(final CommandLine<T> command) {
        final String line = String.join(" ", command.argv());
        asked.add(line);
        final List<Recorded> recorded = answers.get(line);
        if (recorded == null) {
            throw new IllegalStateException("the transcript has no answer to: " + line);
        }
        final Recorded next = recorded.size() > 1 ? recorded.remove(0) : recorded.get(0);
        return command.read(CommandResult.of(next.exit, next.output.toString(), next.error.toString()));
    }

    @Override
    public Runner as(final UserName owner) {
        return this;
    }

    /** The command lines that were run, in order. */
    public synchronized List<String> asked() {
        return List.copyOf(asked);
    }
}
