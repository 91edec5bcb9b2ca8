package io.millrace.agent.transfer;

import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.transfer.CopyProgress;
import org.jspecify.annotations.Nullable;

/** A running copy, which another thread can stop. */
final class RunningCopy {

    private final CopyTree order;
    private final Thread worker = Thread.currentThread();
    private boolean stopped;
    private boolean over;
    private volatile @Nullable CopyProgress progress;

    RunningCopy(final CopyTree order) {
        this.order = order;
    }

    boolean uses(final String folder) {
        return order.to().path().equals(folder) || order.from().path().equals(folder);
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
