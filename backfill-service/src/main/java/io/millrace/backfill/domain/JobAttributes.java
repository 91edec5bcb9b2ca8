package io.millrace.backfill.domain;

/**
 * What the planner knows about a job beyond its request.
 *
 * @param user its owner; jobs of one user share a run time history
 * @param jobClass the class under which its run times are recorded; empty if not known
 * @param checkpointable whether it can be preempted and resumed without losing work
 * @param preemptions how often it has been preempted
 * @param completed_s seconds of work that an earlier run saved in a checkpoint; its walltime is the remaining time
 * @param actual_s its true run time in seconds; 0 if not known, as always outside a simulation
 * @param published_s the run time in seconds that classifier-service expects; 0 if not known
 */
public record JobAttributes(
        String user,
        String jobClass,
        boolean checkpointable,
        int preemptions,
        long completed_s,
        long actual_s,
        long published_s) {

    public static final JobAttributes UNKNOWN = new JobAttributes("", "", false, 0, 0, 0, 0);

    public JobAttributes {
        if (preemptions < 0 || completed_s < 0 || actual_s < 0 || published_s < 0) {
            throw new IllegalArgumentException("job attributes must not be negative: preemptions=" + preemptions
                    + " completed_s=" + completed_s + " actual_s=" + actual_s + " published_s=" + published_s);
        }
    }

    public static JobAttributes of(final String user, final String jobClass, final boolean checkpointable) {
        return new JobAttributes(user, jobClass, checkpointable, 0, 0, 0, 0);
    }

    public JobAttributes withActual(final long run_s) {
        return new JobAttributes(user, jobClass, checkpointable, preemptions, completed_s, run_s, published_s);
    }

    /** A copy after a preemption. @param saved_s seconds of work that are saved */
    public JobAttributes preempted(final long saved_s) {
        return new JobAttributes(user, jobClass, checkpointable, preemptions + 1, saved_s, actual_s, published_s);
    }
}
