package io.millrace.agent.transfer;

/** A running copy, which another thread can stop. */
final class RunningCopy {

    private final Thread worker = Thread.currentThread();
    private boolean stopped;
    private boolean over;

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
