package io.millrace.agent.transfer;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Large files that were copied to this cluster, named by their contents, so that each is transferred once for all jobs of its owner. See
 * ADR 24.
 *
 * <p>Each owner has a cache, readable only by the owner. Copies of one owner that transfer new large files take turns: the second one finds
 * the files of the first, which are stored after its answer.
 */
final class FileCache {

    /** The folder of the cache, next to the folders of the owner's attempts. */
    static final String FOLDER = ".millrace-cache";

    private final TransferSettings settings;
    private final ConcurrentMap<UserName, Semaphore> turns = new ConcurrentHashMap<>();
    private final Set<Thread> storing = ConcurrentHashMap.newKeySet();

    FileCache(final TransferSettings settings) {
        this.settings = settings;
    }

    /** The folder of the cache for a copy from another host to the staging root; null for any other copy. */
    @Nullable
    String folder(final CopyTree order) {
        return settings.cache_bytes() > 0
                        && Rsync.isRemote(settings, order.from())
                        && Destination.isStaging(settings, order.to())
                ? settings.stagingRoot() + "/" + order.owner() + "/" + FOLDER
                : null;
    }

    /**
     * Runs the copy with the files of the cache. If it succeeds, its large files are stored afterwards, by another thread.
     *
     * @return the answer of the copy
     */
    <T> Answer<T> around(final CopyTree order, final Runner asOwner, final Supplier<Answer<T>> copy) {
        final String folder = folder(order);
        if (folder == null) {
            return copy.get();
        }
        final Semaphore turn = turns.computeIfAbsent(order.owner(), owner -> new Semaphore(1, true));
        try {
            turn.acquire();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.trouble(Answer.Kind.STOPPED, "stopped while another copy of the owner was running");
        }
        Runnable after = turn::release;
        try {
            final Answer<TakeCachedFiles.Taken> taken = asOwner.run(new TakeCachedFiles(settings, order, folder));
            if (!(taken instanceof Answer.Ok<TakeCachedFiles.Taken> ok
                    && ok.value().missing() > 0)) {
                turn.release();
                after = () -> {};
            }
            final Answer<T> answer = copy.get();
            if (answer instanceof Answer.Ok<T>) {
                store(order, asOwner, folder, after);
                after = () -> {};
            }
            return answer;
        } finally {
            after.run();
        }
    }

    private void store(final CopyTree order, final Runner asOwner, final String folder, final Runnable after) {
        final Thread thread = Thread.ofVirtual()
                .name("cache of " + order.owner())
                .unstarted(() -> {
                    try {
                        asOwner.run(new StoreInCache(order.to(), folder, settings.cache_bytes(), settings.longest()));
                    } finally {
                        after.run();
                        storing.remove(Thread.currentThread());
                    }
                });
        storing.add(thread);
        thread.start();
    }

    /** Waits until the files of all copies so far are stored. */
    void awaitStored() throws InterruptedException {
        for (final Thread thread : storing) {
            thread.join();
        }
    }
}
