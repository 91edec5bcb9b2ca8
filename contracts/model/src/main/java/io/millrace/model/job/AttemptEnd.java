package io.millrace.model.job;

/**
 * Why an attempt ended.
 *
 * @param reason one sentence for people
 */
public record AttemptEnd(Cause cause, String reason) {

    /** The cause in one word. */
    public enum Cause {
        /** The run ended. */
        FINISHED,
        /** It failed before it could run, or its results could not be copied. */
        FAILED,
        /** A user stopped the job. */
        STOPPED,
        /** It waited, and another cluster would start it earlier. */
        MOVED,
        /** Its cluster was drained. */
        DRAINED,
        /** Its cluster was fenced. */
        FENCED,
        /** Its cluster had no room for its files. */
        DISK_FULL,
        /** The disk quota of its owner on its cluster had no room for its files. */
        DISK_QUOTA_EXCEEDED;

        /** Whether the files found no room. */
        public boolean isNoRoom() {
            return this == DISK_FULL || this == DISK_QUOTA_EXCEEDED;
        }
    }
}
