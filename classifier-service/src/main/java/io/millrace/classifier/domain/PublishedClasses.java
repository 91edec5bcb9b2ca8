package io.millrace.classifier.domain;

import io.millrace.model.JobRef;
import io.millrace.model.policy.Classified;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The published classifications of one kind of jobs, and the changes to publish: a classification only when it is new or different, and
 * the removal of a job that has left.
 */
public final class PublishedClasses {

    /** A change to publish. */
    public sealed interface Change {

        record Publish(Classified classified) implements Change {}

        record Remove(JobRef job) implements Change {}
    }

    private final boolean removeAbsent;
    private final Map<JobRef, Classified> published = new HashMap<>();
    private final Map<JobRef, Optional<Classified>> pending = new LinkedHashMap<>();
    /** Pending jobs that keep a published classification. */
    private final Set<JobRef> kept = new HashSet<>();

    private boolean decided;

    /**
     * @param removeAbsent whether the replay names every existing job, so that a job it does not name has left
     */
    public PublishedClasses(final boolean removeAbsent) {
        this.removeAbsent = removeAbsent;
    }

    /** Applies a classification during replay; ignored after the first decision, when the own state is authoritative. */
    public void read(final Classified classified) {
        if (!decided) {
            published.put(classified.job(), classified);
        }
    }

    public void readRemoved(final JobRef job) {
        if (!decided) {
            published.remove(job);
        }
    }

    /** What is published of a job; null: nothing. */
    public @Nullable Classified of(final JobRef job) {
        return published.get(job);
    }

    public void classified(final Classified now) {
        pending.put(now.job(), Optional.of(now));
        kept.remove(now.job());
    }

    /** Classifies a job that has started: it keeps the classes that it started with, if it has been classified before. */
    public void classifiedAfterStart(final Classified now) {
        if (pending.putIfAbsent(now.job(), Optional.of(now)) == null) {
            kept.add(now.job());
        }
    }

    public void removed(final JobRef job) {
        pending.put(job, Optional.empty());
    }

    public List<Change> decide() {
        if (!decided && removeAbsent) {
            published.keySet().forEach(job -> pending.putIfAbsent(job, Optional.empty()));
        }
        decided = true;
        final List<Change> changes = new ArrayList<>();
        pending.forEach((job, now) -> change(job, now).ifPresent(changes::add));
        pending.clear();
        kept.clear();
        return changes;
    }

    private Optional<Change> change(final JobRef job, final Optional<Classified> now) {
        if (now.isEmpty()) {
            return published.remove(job) == null ? Optional.empty() : Optional.of(new Change.Remove(job));
        }
        if (kept.contains(job) && published.containsKey(job)) {
            return Optional.empty();
        }
        final Classified before = published.put(job, now.get());
        return now.get().equals(before) ? Optional.empty() : Optional.of(new Change.Publish(now.get()));
    }
}
