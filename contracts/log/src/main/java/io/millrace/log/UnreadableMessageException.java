package io.millrace.log;

/** A message that cannot be understood. The text names the field and what was expected; it becomes the dead letter's reason. */
public class UnreadableMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    public UnreadableMessageException(final String reason) {
        super(reason);
        this.reason = reason;
    }

    public UnreadableMessageException(final String reason, final Throwable cause) {
        super(reason, cause);
        this.reason = reason;
    }

    /** What is wrong with the message. */
    public String reason() {
        return reason;
    }
}
