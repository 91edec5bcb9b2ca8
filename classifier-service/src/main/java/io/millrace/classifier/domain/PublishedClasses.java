package io.millrace.classifier.domain;

import io.millrace.model.JobRef;
import io.millrace.model.policy.Classified;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands about the jobs of one kind, and what has to be said to change it: a classification only when it is new or another one,
 * and a job that left is taken off.
 */
public final class PublishedClasses {

    /** What to say. */
    public sealed interface Change {

        record Publish(Classified classified) implements Change {}

        record Remove(JobRef job) implements Change {}
    }

    private final boolean unmentionedAreGone;
    private final Map<JobRef, Classified> standing = new HashMap<>();
    private final Map<JobRef, Optional<Classified>> news = new LinkedHashMap<>();
    private boolean decided;

    /**
     * @param unmentionedAreGone whether the replay names every job that is there, so that a job it does not name has left while nobody
     *     looked
     */
    public PublishedClasses(final boolean unmentionedAreGone) {
        this.unmentionedAreGone = unmentionedAreGone;
    }

    /** Takes what the replay says was said. Once this has decided, its own memory is the truth and echoes are not asked. */
    public void read(final Classified said) {
        if (!decided) {
            standing.put(said.job(), said);
        }
    }

    public void readRemoved(final JobRef job) {
        if (!decided) {
            standing.remove(job);
        }
    }

    public void classified(final Classified now) {
        news.put(now.job(), Optional.of(now));
    }

    public void removed(final JobRef job) {
        news.put(job, Optional.empty());
    }

    public List<Change> decide() {
        if (!decided && unmentionedAreGone) {
            standing.keySet().forEach(job -> news.putIfAbsent(job, Optional.empty()));
        }
        decided = true;
        final List<Change> changes = new ArrayList<>();
        news.forEach((job, now) -> change(job, now).ifPresent(changes::add));
        news.clear();
        return changes;
    }

    private Optional<Change> change(final JobRef job, final Optional<Classified> now) {
        if (now.isEmpty()) {
            return standing.remove(job) == null ? Optional.empty() : Optional.of(new Change.Remove(job));
        }
        final Classified before = standing.put(job, now.get());
        return now.get().equals(before) ? Optional.empty() : Optional.of(new Change.Publish(now.get()));
    }
}
