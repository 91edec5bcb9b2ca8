package io.millrace.model.cluster;

/** What becomes of a job that is not saved within its grace time. */
public enum IfLate {
    /** It runs on, and the command fails. */
    LEAVE,
    /** It is waited for as long as the command is valid. */
    WAIT,
    /** It is requeued all the same; what it had not saved is lost, and counted. */
    REQUEUE
}
