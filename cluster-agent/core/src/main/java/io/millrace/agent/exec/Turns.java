package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Lets one piece of work at a time use a folder or act for an owner, in the order of arrival. */
public final class Turns {

    private static final class Turn {
        private final Semaphore free = new Semaphore(1, true);
        private int users;
    }

    private final Map<String, Turn> turns = new HashMap<>();

    public <T> Answer<T> in(final String folder, final Supplier<Answer<T>> work) {
        final Turn turn = join(folder);
        try {
            turn.free.acquire();
            try {
                return work.get();
            } finally {
                turn.free.release();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.trouble(Answer.Kind.STOPPED, "stopped while waiting for " + folder);
        } finally {
            leave(folder, turn);
        }
    }

    private synchronized Turn join(final String folder) {
        final Turn turn = turns.computeIfAbsent(folder, path -> new Turn());
        turn.users++;
        return turn;
    }

    private synchronized void leave(final String folder, final Turn turn) {
        turn.users--;
        if (turn.users == 0) {
            turns.remove(folder);
        }
    }
}
