package io.millrace.model.cluster;

/** What happens to a job that is not saved within its grace time. */
public enum CheckpointTimeoutAction {
    /** The job keeps running, and the command fails. */
    LEAVE,
    /** The agent waits as long as the command is valid. */
    WAIT,
    /** The job is requeued; its unsaved work is lost and counted. */
    REQUEUE
}
