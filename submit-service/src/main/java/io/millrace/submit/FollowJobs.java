package io.millrace.submit;

import io.millrace.model.UserName;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The changes of jobs as they become visible in the read model. One look at the feed's counter serves all who follow; only who has
 * something new to see asks the database for it.
 */
@ApplicationScoped
public class FollowJobs {

    private static final Logger LOG = Logger.getLogger(FollowJobs.class);
    private static final int AT_ONCE = 500;

    private final JobChanges changes;
    private final ReadModel model;
    private final SubmitSettings settings;
    private final Multi<Long> heads;

    FollowJobs(final JobChanges changes, final ReadModel model, final SubmitSettings settings) {
        this.changes = changes;
        this.model = model;
        this.settings = settings;
        this.heads = Multi.createFrom()
                .ticks()
                .every(settings.feedInterval())
                .onOverflow()
                .drop()
                .onItem()
                .transformToUniAndConcatenate(tick -> head())
                .broadcast()
                .withCancellationAfterLastSubscriberDeparture()
                .toAllSubscribers();
    }

    /** A job that changed, and the number of its change; several jobs of a first picture share one number. */
    public record JobUpdate(
            long seq, ReadModel.JobDetails job, @Nullable JobChange change) {}

    /** What a follower gets first: a picture of the jobs that are not over, or nothing if it can resume. */
    private record FeedStart(long seq, List<JobUpdate> picture) {}

    /**
     * @param after the last change the follower has seen; null for none
     * @return endless; changes at the pace of the follower
     */
    public Multi<JobUpdate> follow(final Caller caller, final @Nullable Long after) {
        final UserName owner = caller.operator() ? null : caller.user();
        return onWorker(() -> beginning(owner, after)).onItem().transformToMulti(beginning -> {
            final AtomicLong position = new AtomicLong(beginning.seq());
            final Multi<JobUpdate> news = heads.onOverflow()
                    .dropPreviousItems()
                    .onItem()
                    .transformToMultiAndConcatenate(head -> news(owner, position, head));
            return Multi.createBy().concatenating().streams(Multi.createFrom().iterable(beginning.picture()), news);
        });
    }

    private Multi<JobUpdate> news(final @Nullable UserName owner, final AtomicLong position, final long head) {
        if (head <= position.get()) {
            return Multi.createFrom().empty();
        }
        return onWorker(() -> since(owner, position, head))
                .onFailure()
                .recoverWithItem(e -> {
                    LOG.warnf("changes cannot be read; trying again: %s", e.getMessage());
                    return List.of();
                })
                .onItem()
                .transformToMulti(seen -> Multi.createFrom().iterable(seen));
    }

    private FeedStart beginning(final @Nullable UserName owner, final @Nullable Long after) {
        return QuarkusTransaction.requiringNew().call(() -> {
            if (after != null && changes.reachesBackTo(after)) {
                return new FeedStart(after, List.of());
            }
            final long seq = changes.last();
            final Set<String> running = Set.of("Waiting", "Uploading", "Making", "Submitted", "Downloading");
            final List<JobUpdate> picture = model.jobs(new JobFilter(owner, running, null, settings.maxPage())).stream()
                    .map(job -> new JobUpdate(seq, job, null))
                    .toList();
            return new FeedStart(seq, picture.reversed());
        });
    }

    private List<JobUpdate> since(final @Nullable UserName owner, final AtomicLong position, final long head) {
        return QuarkusTransaction.requiringNew().call(() -> {
            final List<JobChange> found = changes.after(position.get(), head, owner, AT_ONCE);
            final List<JobUpdate> seen = new ArrayList<>();
            for (final JobChange change : found) {
                model.shown(change.job()).ifPresent(job -> seen.add(new JobUpdate(change.seq(), job, change)));
            }
            position.set(found.size() < AT_ONCE ? head : found.getLast().seq());
            return seen;
        });
    }

    private Uni<Long> head() {
        return onWorker(() -> QuarkusTransaction.requiringNew().call(changes::last))
                .onFailure()
                .recoverWithItem(0L); // the database is away: nothing new until it is back; health says so
    }

    private static <T> Uni<T> onWorker(final Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }
}
