package io.millrace.log;

/** A message that cannot be understood. The text names the field and what was expected; it becomes the dead letter's reason. */
public class UnreadableMessage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnreadableMessage(final String reason) {
        super(reason);
    }

    public UnreadableMessage(final String reason, final Throwable cause) {
        super(reason, cause);
    }
}
