package io.millrace.model.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cost of one run, booked when it ended. Job and run identify it: a second entry of the same run is the same entry.
 *
 * @param run number of the run of this job, from 1
 * @param project null if the job named none
 * @param endedAt when the run ended
 * @param periods the budget periods it is booked in, by the site's calendar: {@code 2026-W47}, {@code 2026-11}, {@code 2026}; those that
 *     hold {@code at}, or {@code booked} if there is one
 * @param ratePermille the factor of the cluster it was booked at; 1000: a core-second costs a core-second
 * @param postings each moves one amount from one account to another, so that the entry balances
 * @param surcharge the factor of the job's class, beside that of the cluster; null if no class of the job has one
 * @param bookedAt when it was booked, if a period that holds {@code at} was closed by then; else null
 */
public record LedgerEntry(
        JobKey job,
        int run,
        UserName user,
        @Nullable ProjectName project,
        Instant endedAt,
        List<String> periods,
        long ratePermille,
        List<Posting> postings,
        @Nullable Surcharge surcharge,
        @Nullable Instant bookedAt)
        implements Event {

    /**
     * The factor of a job's class on its cost.
     *
     * @param jobClass the class, as the classifier calls it
     * @param ratePermille its factor; 1000: nothing
     */
    public record Surcharge(String jobClass, long ratePermille) {}

    /** Why an amount moves. */
    public enum Kind {
        /** The user pays the cluster for the run. */
        CHARGE,
        /** The site pays the user back what was lost by no fault of the user. */
        REFUND
    }

    /**
     * An amount that leaves one account and arrives at another.
     *
     * @param debit the account that bears it, e.g. {@code use/anna/physics}, {@code loss/alpha}
     * @param credit the account that gets it, e.g. {@code cluster/alpha}
     */
    public record Posting(Kind kind, String debit, String credit, ProcessorTime amount) {

        public Posting {
            if (debit.equals(credit)) {
                throw new IllegalArgumentException("a posting moves between two accounts, both are " + debit);
            }
            if (amount.coreSeconds() < 0 || amount.gpuSeconds() < 0) {
                throw new IllegalArgumentException("a posting cannot be negative: " + amount);
            }
        }
    }

    public LedgerEntry {
        periods = List.copyOf(periods);
        postings = List.copyOf(postings);
    }

    /** The instant that leads the statements: of a late entry that of its booking. */
    public Instant counts() {
        return bookedAt == null ? endedAt : bookedAt;
    }

    /** What the user bears in the end: charged less refunded. */
    public ProcessorTime cost() {
        ProcessorTime cost = ProcessorTime.NONE;
        for (final Posting posting : postings) {
            cost = switch (posting.kind()) {
                case CHARGE -> cost.plus(posting.amount());
                case REFUND -> cost.minus(posting.amount());
            };
        }
        return cost;
    }

    @Override
    public String key() {
        return job + "#" + run;
    }

    @Override
    public ClusterId cluster() {
        return job.cluster();
    }
}
