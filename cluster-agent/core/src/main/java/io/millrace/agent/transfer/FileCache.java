package io.millrace.agent.transfer;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Large files that were copied to this cluster, named by their contents, so that each is transferred once for all jobs of its owner. See
 * ADR 24.
 *
 * <p>Each owner has a cache, readable only by the owner. Copies of one owner that transfer new large files take turns: the second one finds
 * the files of the first.
 */
final class FileCache {

    /** The folder of the cache, next to the folders of the owner's attempts. */
    static final String FOLDER = ".millrace-cache";

    private final TransferSettings settings;
    private final ConcurrentMap<UserName, ReentrantLock> turns = new ConcurrentHashMap<>();

    FileCache(final TransferSettings settings) {
        this.settings = settings;
    }

    /** Whether the copy comes from another host to the staging root. */
    private boolean isUsedFor(final CopyTree order) {
        return settings.cache_bytes() > 0
                && Rsync.isRemote(settings, order.from())
                && order.to().path().startsWith(settings.stagingRoot() + "/");
    }

    /**
     * Runs the copy with the files of the cache.
     *
     * @return the answer of the copy
     */
    <T> Answer<T> around(final CopyTree order, final Runner asOwner, final Supplier<Answer<T>> copy) {
        if (!isUsedFor(order)) {
            return copy.get();
        }
        final ReentrantLock turn = turns.computeIfAbsent(order.owner(), owner -> new ReentrantLock(true));
        try {
            turn.lockInterruptibly();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.trouble(Answer.Kind.STOPPED, "stopped while another copy of the owner was running");
        }
        try {
            final String folder = settings.stagingRoot() + "/" + order.owner() + "/" + FOLDER;
            final Answer<TakeCachedFiles.Taken> taken =
                    asOwner.run(new TakeCachedFiles(settings, order.from(), order.to(), folder));
            if (taken instanceof Answer.Ok<TakeCachedFiles.Taken> ok
                    && ok.value().missing() > 0) {
                return copy.get()
                        .then(done -> asOwner.run(new StoreInCache(
                                        order.to(), folder, settings.cache_bytes(), settings.longest()))
                                .map(stored -> done));
            }
        } finally {
            turn.unlock();
        }
        return copy.get();
    }
}
