package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;

/**
 * Runs commands and retries them while LSF reports "Operation is in progress". LSF applies a command for an array task by task in the
 * background, and delays a command that conflicts with an unfinished one. All commands are idempotent.
 */
public final class CommandExecutor {

    private static final int TRIES = 8;

    private final LsfSite site;
    private final Runner runner;
    private final Duration pause;

    public CommandExecutor(final LsfSite site, final Runner runner, final Duration pause) {
        this.site = site;
        this.runner = runner;
        this.pause = pause;
    }

    public Answer<Accepted> run(final String... words) {
        return run(List.of(words));
    }

    public Answer<Accepted> run(final List<String> words) {
        final LsfCommand command = new LsfCommand(site, words);
        Answer<Accepted> last = runner.run(command);
        for (int again = 1; again < TRIES && isInProgress(last); again++) {
            if (!pause()) {
                return last;
            }
            last = runner.run(command);
        }
        // LSF accepted the command and applies it in the background. It also reports progress for tasks that are
        // done.
        return last instanceof Answer.Trouble<Accepted> trouble
                        && isInProgress(last)
                        && words.getLast().matches("\\d+(\\[.*[-,].*])?")
                ? Answer.ok(new Accepted(String.join(" ", words) + ": " + trouble.reason()))
                : last;
    }

    private static boolean isInProgress(final Answer<Accepted> answer) {
        return answer instanceof Answer.Trouble<Accepted> trouble
                && trouble.reason().contains("Operation is in progress");
    }

    private boolean pause() {
        try {
            Thread.sleep(pause.toMillis());
            return true;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
