package io.millrace.backfill.domain;

/**
 * What is known of a job beyond what it asks for.
 *
 * @param user whose it is; jobs of one user share a history of run times
 * @param jobClass the class that its run times are learned under; empty if none is known
 * @param checkpointable whether it can be cut and go on later without losing work
 * @param cuts how often it was cut already
 * @param inherited_s seconds of its work that an earlier run left behind in a checkpoint; its walltime is what remains
 * @param actual_s its true run time in seconds, for study alone; 0 if not known, as everywhere outside a simulation
 * @param isHead whether it held the first reservation at the last pass; a planner made from scratch must be told, one with books of its own knows
 */
public record Traits(
        String user,
        String jobClass,
        boolean checkpointable,
        int cuts,
        long inherited_s,
        long actual_s,
        boolean isHead) {

    public static final Traits UNKNOWN = new Traits("", "", false, 0, 0, 0, false);

    public Traits {
        if (cuts < 0 || inherited_s < 0 || actual_s < 0) {
            throw new IllegalArgumentException("traits cannot be negative: cuts=" + cuts + " inherited_s=" + inherited_s
                    + " actual_s=" + actual_s);
        }
    }

    public Traits(
            final String user,
            final String jobClass,
            final boolean checkpointable,
            final int cuts,
            final long inherited_s,
            final long actual_s) {
        this(user, jobClass, checkpointable, cuts, inherited_s, actual_s, false);
    }

    public static Traits of(final String user, final String jobClass, final boolean checkpointable) {
        return new Traits(user, jobClass, checkpointable, 0, 0, 0, false);
    }

    public Traits actual(final long run_s) {
        return new Traits(user, jobClass, checkpointable, cuts, inherited_s, run_s, isHead);
    }

    /** After a cut: so much of the work is done for good. */
    public Traits cut(final long done_s) {
        return new Traits(user, jobClass, checkpointable, cuts + 1, done_s, actual_s, false);
    }

    public Traits head(final boolean holdsReservation) {
        return new Traits(user, jobClass, checkpointable, cuts, inherited_s, actual_s, holdsReservation);
    }
}
