package io.millrace.log.loop;

import io.millrace.log.ProducerFencing;
import io.millrace.log.loop.SetAsideRecords.Place;
import io.millrace.model.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of one partition: opens a session, and after any failure another one, with growing pauses. */
final class Shard {

    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Backoff BACKOFF = new Backoff(FIRST_PAUSE, Duration.ofSeconds(5));

    private final LoopSettings settings;
    private final int partition;
    private final DeciderFactory deciders;
    private final Clock clock;
    private final GroupMembership membership;
    private final LoopCounters counters;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable ShardSession session;
    private volatile @Nullable String failure;
    private int failures;
    private final PoisonWatch poison = new PoisonWatch();

    /** What earlier sessions of this shard have committed. */
    private final Map<TopicPartition, Long> committed = new HashMap<>();

    Shard(
            final LoopSettings settings,
            final int partition,
            final DeciderFactory deciders,
            final Clock clock,
            final GroupMembership membership,
            final LoopCounters counters) {
        this.settings = settings;
        this.partition = partition;
        this.deciders = deciders;
        this.clock = clock;
        this.membership = membership;
        this.counters = counters;
        this.thread = new Thread(this::run, name());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private String name() {
        return settings.service() + "-" + partition;
    }

    private void run() {
        while (!isStopping()) {
            try (ShardSession life = new ShardSession(settings, partition, clock, membership, counters, this)) {
                session = life;
                life.run();
            } catch (final WakeupException e) {
                LOG.debug("{} stops", name());
            } catch (final DecisionFailedException e) {
                failed(e);
            } catch (final StackOverflowError e) {
                retry(e.toString(), e);
            } catch (final RuntimeException e) {
                if (ProducerFencing.shows(e)) {
                    fenced(e);
                } else {
                    retry(e.getClass().getSimpleName() + ": " + e.getMessage(), e);
                }
            } finally {
                session = null;
            }
        }
    }

    /** A failure that repeats is caused by a record: it is searched for and set aside, and the shard goes on without it. */
    private void failed(final DecisionFailedException e) {
        LOG.error("{}: {}", name(), e.reason(), e.getCause());
        if (!poison.failed(e.kind())) {
            retry(e.reason(), null);
            return;
        }
        failure = e.reason();
        LOG.warn("{}: searching for the record on which decisions fail", name());
        try {
            final Optional<Place> culprit =
                    poison.search(e.kind(), e.read(), new DecisionTrial(this, e.kind(), e.read()));
            if (culprit.isPresent()) {
                poison.skip(culprit.get(), settings.service() + " cannot decide with it: " + e.reason());
                counters.reopened.increment();
            } else {
                retry(e.reason() + "; no single record is the cause", null);
            }
        } catch (final WakeupException stopped) {
            LOG.debug("{} stops", name());
        } catch (final RuntimeException unreachable) {
            retry(e.reason() + "; the record that is the cause was not found: " + unreachable.getMessage(), null);
        }
    }

    /** Reopening would fence the active instance, so it waits until the group's coordinator assigns the partition to this instance. */
    private void fenced(final RuntimeException e) {
        counters.fenced.increment();
        retry(
                "a commit was refused: another instance is or was active, or the group is changing (" + e.getMessage()
                        + ")",
                null);
        while (!isStopping() && !membership.isOurs(partition)) {
            awaitStop(FIRST_PAUSE);
        }
    }

    private void retry(final String why, final @Nullable Throwable cause) {
        if (isStopping()) {
            return;
        }
        if (!why.equals(failure)) {
            LOG.warn("{}: {}; rebuilding state from Kafka", name(), why, cause);
        }
        failure = why;
        counters.reopened.increment();
        failures++;
        awaitStop(BACKOFF.after(failures));
    }

    LoopSettings settings() {
        return settings;
    }

    Decider openDecider() {
        return deciders.open(partition);
    }

    ShardInputs inputs() {
        return new ShardInputs(
                settings,
                partition,
                membership.clusters(),
                membership.admin(),
                () -> ShardSession.openConsumer(settings),
                committed);
    }

    Instant now() {
        return clock.instant();
    }

    PoisonWatch poison() {
        return poison;
    }

    /** Where the next session continues at the earliest; used by the shard's thread only. */
    Map<TopicPartition, Long> committed() {
        return committed;
    }

    /** Called by the session after a commit of these offsets. */
    void committed(final Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((tp, offset) -> committed.put(tp, offset.offset()));
    }

    /** Called by the session when it has decided on everything and committed it: clears the failure. */
    void healthy() {
        failure = null;
        failures = 0;
    }

    /** An offset that shows when this shard was last up to date; empty if it is not running. */
    Map<TopicPartition, OffsetAndMetadata> progress() {
        final ShardSession life = session;
        return life == null ? Map.of() : life.progress();
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    void stop() {
        stopping.countDown();
        final ShardSession life = session;
        if (life != null) {
            life.wakeup();
        }
    }

    /** Lets the shard see at once that the topics of a cluster have appeared. */
    void clustersChanged() {
        final ShardSession life = session;
        if (life != null) {
            life.endWait();
        }
    }

    boolean awaitStop(final Duration time) {
        try {
            return stopping.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping.countDown();
            return true;
        }
    }

    void await(final Duration time) {
        try {
            thread.join(Math.max(1, time.toMillis()));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{} is still busy; the broker refuses its writes from now on", name());
        }
    }

    boolean isCaughtUp() {
        final ShardSession life = session;
        return life != null && life.isCaughtUp();
    }

    long lag() {
        final ShardSession life = session;
        return life == null ? 0 : life.lag();
    }

    @Nullable
    String failure() {
        return failure;
    }
}
