package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import java.time.Duration;
import java.util.List;

/**
 * Gives orders, and again where LSF says "Operation is in progress": an order about an array is carried out task by task behind its
 * answer, and an order that meets another one half done is put off. Every order here may be given twice.
 */
final class CommandExecutor {

    private static final int TRIES = 8;

    private final LsfSite site;
    private final Runner runner;
    private final Duration pause;

    CommandExecutor(final LsfSite site, final Runner runner, final Duration pause) {
        this.site = site;
        this.runner = runner;
        this.pause = pause;
    }

    Answer<Accepted> run(final String... words) {
        return run(List.of(words));
    }

    Answer<Accepted> run(final List<String> words) {
        final LsfCommand order = new LsfCommand(site, words);
        Answer<Accepted> last = runner.run(order);
        for (int again = 1; again < TRIES && isInProgress(last); again++) {
            if (!pause()) {
                return last;
            }
            last = runner.run(order);
        }
        // It was taken, and is done behind the answer; asked once more about jobs that are through with it, LSF says
        // so.
        return last instanceof Answer.Trouble<Accepted> trouble
                        && isInProgress(last)
                        && words.getLast().matches("\\d+(\\[.*[-,].*])?")
                ? Answer.ok(new Accepted(String.join(" ", words) + ": " + trouble.because()))
                : last;
    }

    private static boolean isInProgress(final Answer<Accepted> answer) {
        return answer instanceof Answer.Trouble<Accepted> trouble
                && trouble.because().contains("Operation is in progress");
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
