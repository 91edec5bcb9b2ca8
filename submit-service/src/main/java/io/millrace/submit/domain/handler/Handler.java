package io.millrace.submit.domain.handler;

import java.util.regex.Pattern;

/**
 * What a site attached to the log.
 *
 * @param name of the site's choosing; its place in the log is kept under it
 * @param fromBeginning whether a handler never seen before begins with the oldest event there is, not with the next one
 * @param parallel deliveries at a time; events of one key are never on their way together
 */
public record Handler(String name, HandlerTarget target, EventFilter filter, DeliveryRetries retries, boolean fromBeginning, int parallel) {

    /** The name under which usage records are shown. */
    public static final String RECORDS = "records";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
    private static final int MOST_PARALLEL = 64;

    public Handler {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name
                    + "' cannot name a handler: small letters, digits and dashes, at most 40, a letter first");
        }
        if (name.equals(RECORDS)) {
            throw new IllegalArgumentException("'records' is taken: usage records are shown under it");
        }
        if (parallel < 1 || parallel > MOST_PARALLEL) {
            throw new IllegalArgumentException("'parallel' must be from 1 to " + MOST_PARALLEL + ", got " + parallel);
        }
    }

    /** The consumer group that keeps its place. */
    public String group() {
        return "millrace-handler-" + name;
    }

    /** What its dead letters say who could not take them. */
    public String reader() {
        return "handler/" + name;
    }
}
