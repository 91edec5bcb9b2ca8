package io.millrace.model.cluster;

/** What an adapter can do beyond observe, submit and cancel; each is an interface that the adapter implements. */
public enum Capability {
    START,
    HOLD,
    REQUEUE,
    SUSPEND,
    SIGNAL,
    CHECKPOINT,
    RECLAIM,
    TRANSFER,
    ACCOUNTING
}
