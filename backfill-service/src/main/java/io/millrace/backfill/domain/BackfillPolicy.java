package io.millrace.backfill.domain;

/**
 * The knobs in which scheduling policies differ.
 *
 * @param order who comes first
 * @param reservations how many jobs that cannot start hold a reservation which nobody who overtakes may delay: 0 is strict first come,
 *     first served (nobody overtakes), 1 is EASY
 */
public record BackfillPolicy(Order order, int reservations) {

    public static final BackfillPolicy STRICT_FCFS = new BackfillPolicy(Order.FCFS, 0);
    public static final BackfillPolicy EASY_FCFS = new BackfillPolicy(Order.FCFS, 1);
    public static final BackfillPolicy EASY = new BackfillPolicy(Order.PRIORITY, 1);

    public BackfillPolicy {
        if (reservations < 0 || reservations > 1) {
            throw new IllegalArgumentException(
                    "reservations must be 0 (strict order) or 1 (EASY), got " + reservations);
        }
    }
}
