package io.millrace.agent.transfer;

/** A copy at work on some thread, and the way to end it. */
final class RunningCopy {

    private final Thread worker = Thread.currentThread();
    private boolean stopped;
    private boolean over;

    /** Ends the command line that runs now, with its whole process group, and keeps further ones from starting. */
    synchronized void stop() {
        stopped = true;
        if (!over) {
            worker.interrupt();
        }
    }

    synchronized boolean stopped() {
        return stopped;
    }

    /** No interrupt of ours comes after this; one that came is taken back, for the thread's next work is not its affair. */
    synchronized void over() {
        over = true;
        if (stopped) {
            Thread.interrupted();
        }
    }
}
