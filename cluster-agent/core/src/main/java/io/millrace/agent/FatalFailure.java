package io.millrace.agent;

import java.lang.Thread.UncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the process after an uncaught exception, because an agent that has lost a thread would still look healthy. */
public final class FatalFailure implements UncaughtExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FatalFailure.class);

    private final Runnable exit;

    /** @param exit ends the process, without blocking */
    public FatalFailure(final Runnable exit) {
        this.exit = exit;
    }

    @Override
    public void uncaughtException(final Thread thread, final Throwable failure) {
        try {
            LOG.error("thread '{}' died; the agent stops", thread.getName(), failure);
        } finally {
            exit.run();
        }
    }
}
