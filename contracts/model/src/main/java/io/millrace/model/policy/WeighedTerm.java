package io.millrace.model.policy;

/**
 * One term of a job's priority.
 *
 * @param factor_percent what holds of the job, from 0 to 100
 * @param weight what the site makes of it; negative ones count against the job
 */
public record WeighedTerm(PriorityTerm term, int factor_percent, int weight) {

    public WeighedTerm {
        if (factor_percent < 0 || factor_percent > 100) {
            throw new IllegalArgumentException(term + " must be between 0 and 100 %, got " + factor_percent);
        }
    }

    /** What it adds to the priority. */
    public long points() {
        return (long) weight * factor_percent / 100;
    }

    public WeighedTerm weighing(final int other) {
        return new WeighedTerm(term, factor_percent, other);
    }
}
