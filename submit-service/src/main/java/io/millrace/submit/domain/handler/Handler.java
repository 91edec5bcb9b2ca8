package io.millrace.submit.domain.handler;

import java.util.regex.Pattern;

/**
 * An event handler of the site.
 *
 * @param name chosen by the site; its offsets are stored under this name
 * @param fromBeginning whether a new handler starts with the oldest event instead of the next one
 * @param parallel concurrent deliveries; events of one key are always delivered one after the other
 */
public record Handler(
        String name,
        HandlerTarget target,
        EventFilter filter,
        DeliveryRetries retries,
        boolean fromBeginning,
        int parallel) {

    /** The name of the handler that sends mail, in lists of handlers. */
    public static final String MAIL = "mail";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
    private static final int MAX_PARALLEL = 64;

    public Handler {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + name
                            + "' is not a valid handler name; use up to 40 lower-case letters, digits and hyphens, starting with a letter");
        }
        if (name.equals(MAIL) != target instanceof HandlerTarget.Mail) {
            throw new IllegalArgumentException("handler name 'mail' is reserved for the mail that jobs ask for");
        }
        if (parallel < 1 || parallel > MAX_PARALLEL) {
            throw new IllegalArgumentException("'parallel' must be from 1 to " + MAX_PARALLEL + ", got " + parallel);
        }
    }

    /** The consumer group that stores its offsets. */
    public String group() {
        return "millrace-handler-" + name;
    }

    /** The reader name in the headers of its dead letters. */
    public String reader() {
        return "handler/" + name;
    }
}
