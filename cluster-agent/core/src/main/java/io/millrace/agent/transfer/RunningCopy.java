package io.millrace.agent.transfer;

import io.millrace.model.transfer.CopyProgress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running copy, which another thread can stop. */
final class RunningCopy {

    private final Set<String> folders;
    private final Thread worker = Thread.currentThread();
    private boolean stopped;
    private boolean over;
    private volatile @Nullable CopyProgress progress;

    /** @param folders paths on this cluster that the copy reads or writes */
    RunningCopy(final String... folders) {
        this.folders = Set.of(folders);
    }

    boolean uses(final String folder) {
        return folders.contains(folder);
    }

    void reached(final CopyProgress now) {
        progress = now;
    }

    /** Null until rsync has reported it. */
    @Nullable
    CopyProgress progress() {
        return progress;
    }

    /** Stops the current command line with its whole process group, and prevents further ones from starting. */
    synchronized void stop() {
        stopped = true;
        if (!over) {
            worker.interrupt();
        }
    }

    synchronized boolean stopped() {
        return stopped;
    }

    /** Marks the end of the copy. No interrupt follows, and a pending one is cleared, so that it does not affect the thread's next task. */
    synchronized void over() {
        over = true;
        if (stopped) {
            Thread.interrupted();
        }
    }
}
