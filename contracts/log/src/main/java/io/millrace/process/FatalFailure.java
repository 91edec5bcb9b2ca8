package io.millrace.process;

import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when an exception escapes from any of its threads. A process that has lost a thread would still look healthy; after a
 * restart by its supervisor it continues from the log.
 */
public final class FatalFailure implements UncaughtExceptionHandler {

    /** The exit code of the process. */
    public static final int EXIT_CODE = 4;

    private static final Logger LOG = LoggerFactory.getLogger(FatalFailure.class);
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Runnable exit;
    private final Duration grace;
    private final AtomicBoolean exiting = new AtomicBoolean();

    /** @param grace time for an orderly exit, after which the process is halted */
    FatalFailure(final Runnable exit, final Duration grace) {
        this.exit = exit;
        this.grace = grace;
    }

    /**
     * Ends the process from now on when a thread dies.
     *
     * @param exit begins an orderly exit with {@link #EXIT_CODE}, without blocking
     */
    public static void endsTheProcess(final Runnable exit) {
        Thread.setDefaultUncaughtExceptionHandler(new FatalFailure(exit, GRACE));
    }

    /** Ends the process after a failure that a library would catch and hide. */
    public static void report(final Throwable failure) {
        final Thread thread = Thread.currentThread();
        final UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        (handler == null ? thread.getThreadGroup() : handler).uncaughtException(thread, failure);
    }

    @Override
    public void uncaughtException(final Thread thread, final Throwable failure) {
        try {
            LOG.error("thread '{}' died; the process ends", thread.getName(), failure);
        } finally {
            if (exiting.compareAndSet(false, true)) {
                Thread.ofPlatform().daemon().name("halt").start(this::halt);
                exit.run();
            }
        }
    }

    /** An orderly exit may wait for the thread that died. */
    private void halt() {
        try {
            Thread.sleep(grace);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
