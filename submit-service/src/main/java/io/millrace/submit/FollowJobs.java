package io.millrace.submit;

import io.millrace.model.UserName;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.job.JobChange;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.store.job.JobChanges;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams job changes as they become visible in the read model. One query of the feed's counter serves all followers; only followers
 * with new changes query the database.
 */
@ApplicationScoped
public class FollowJobs {

    private static final Logger LOG = LoggerFactory.getLogger(FollowJobs.class);
    private static final int AT_ONCE = 500;

    private final JobChanges changes;
    private final ReadModel model;
    private final PolledValue<Long> head;

    FollowJobs(final JobChanges changes, final ReadModel model) {
        this.changes = changes;
        this.model = model;
        this.head = new PolledValue<>(last(), SubmitSettings.FEED_INTERVAL);
    }

    /** A changed job and the number of the change; the jobs of the initial snapshot share one number. */
    public record JobUpdate(
            long seq, ReadModel.JobDetails job, @Nullable JobChange change) {}

    /** The start of a stream: a snapshot of unfinished jobs, or nothing if the client resumes. */
    private record FeedStart(long seq, List<JobUpdate> snapshot) {}

    /**
     * @param after the last change that the client received; null for none
     * @return an endless stream with back-pressure
     */
    public Multi<JobUpdate> follow(final Caller caller, final @Nullable Long after) {
        final UserName owner = caller.operator() ? null : caller.user();
        return onWorker(() -> beginning(owner, after)).onItem().transformToMulti(beginning -> {
            final AtomicLong position = new AtomicLong(beginning.seq());
            final Multi<JobUpdate> updates =
                    head.follow().onItem().transformToMultiAndConcatenate(seq -> updates(owner, position, seq));
            return Multi.createBy().concatenating().streams(Multi.createFrom().iterable(beginning.snapshot()), updates);
        });
    }

    private Multi<JobUpdate> updates(final @Nullable UserName owner, final AtomicLong position, final long head) {
        if (head <= position.get()) {
            return Multi.createFrom().empty();
        }
        return onWorker(() -> since(owner, position, head))
                .onFailure()
                .recoverWithItem(e -> {
                    LOG.atWarn().addKeyValue("reason", e.getMessage()).log("job changes cannot be read; retrying");
                    return List.of();
                })
                .onItem()
                .transformToMulti(seen -> Multi.createFrom().iterable(seen));
    }

    private FeedStart beginning(final @Nullable UserName owner, final @Nullable Long after) {
        return QuarkusTransaction.requiringNew().call(() -> {
            if (after != null && changes.isCompleteAfter(after)) {
                return new FeedStart(after, List.of());
            }
            final long seq = changes.last();
            final List<JobUpdate> snapshot = model.jobs(JobFilter.unfinished(owner, SubmitSettings.MAX_PAGE)).stream()
                    .map(job -> new JobUpdate(seq, job, null))
                    .toList();
            return new FeedStart(seq, snapshot.reversed());
        });
    }

    private List<JobUpdate> since(final @Nullable UserName owner, final AtomicLong position, final long head) {
        return QuarkusTransaction.requiringNew().call(() -> {
            final List<JobChange> found = changes.after(position.get(), head, owner, AT_ONCE);
            final List<JobUpdate> seen = new ArrayList<>();
            for (final JobChange change : JobChange.withoutRepetitions(found)) {
                model.shown(change.job()).ifPresent(job -> seen.add(new JobUpdate(change.seq(), job, change)));
            }
            position.set(found.size() < AT_ONCE ? head : found.getLast().seq());
            return seen;
        });
    }

    private Uni<Long> last() {
        return onWorker(() -> QuarkusTransaction.requiringNew().call(changes::last))
                .onFailure()
                .recoverWithItem(0L); // no changes while the database is unavailable, which the health check reports
    }

    private static <T> Uni<T> onWorker(final Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }
}
