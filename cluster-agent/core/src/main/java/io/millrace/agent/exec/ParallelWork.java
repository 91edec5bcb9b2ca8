package io.millrace.agent.exec;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Runs the same work on several threads, which share what there is to do. Platform threads, because a virtual thread that waits for a
 * monitor blocks its carrier on JDK 21.
 */
public final class ParallelWork {

    private ParallelWork() {}

    /** Returns when all threads have ended; an exception of one of them is thrown then. */
    public static void run(final Runnable work, final int threads) {
        if (threads < 2) {
            work.run();
            return;
        }
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("command-", 1).factory())) {
            CompletableFuture.allOf(IntStream.range(0, threads)
                            .mapToObj(number -> CompletableFuture.runAsync(work, executor))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } catch (final CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
