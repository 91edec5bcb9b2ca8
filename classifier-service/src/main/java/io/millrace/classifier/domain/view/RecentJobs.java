package io.millrace.classifier.domain.view;

import io.millrace.classifier.domain.extraction.JobFacts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is known of the last jobs, oldest first, so that another model can be tried on them. */
public final class RecentJobs {

    static final int KEPT = 1000;

    /** Scripts can be long; so many characters of all of them are kept. */
    private static final long KEPT_TEXT = 16L << 20;

    /** A job, and whether it is an ended run that counts for stage psi. */
    public record Recent(String job, JobFacts facts, boolean executed) {}

    private final Deque<Recent> jobs = new ArrayDeque<>();
    private final Set<String> known = new HashSet<>();
    private long text;

    /** Ignores a job that is kept already. */
    public void add(final String job, final JobFacts facts, final boolean executed) {
        if (!known.add(job)) {
            return;
        }
        jobs.addLast(new Recent(job, facts, executed));
        text += length(facts);
        while (jobs.size() > KEPT || text > KEPT_TEXT && jobs.size() > 1) {
            final Recent oldest = jobs.removeFirst();
            known.remove(oldest.job());
            text -= length(oldest.facts());
        }
    }

    private static long length(final JobFacts facts) {
        return facts.texts().entrySet().stream()
                .map(Map.Entry::getValue)
                .flatMap(List::stream)
                .mapToLong(String::length)
                .sum();
    }

    public List<Recent> all() {
        return List.copyOf(jobs);
    }
}
