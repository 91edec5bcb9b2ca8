package io.millrace.model.policy;

/**
 * One term of a job's priority.
 *
 * @param factorPercent what holds of the job, from 0 to 100
 * @param weight what the site makes of it; negative ones count against the job
 */
public record WeightedTerm(PriorityTerm term, int factorPercent, int weight) {

    public WeightedTerm {
        if (factorPercent < 0 || factorPercent > 100) {
            throw new IllegalArgumentException(term + " must be between 0 and 100 %, got " + factorPercent);
        }
    }

    /** What it adds to the priority. */
    public long points() {
        return (long) weight * factorPercent / 100;
    }

    public WeightedTerm weighing(final int other) {
        return new WeightedTerm(term, factorPercent, other);
    }
}
