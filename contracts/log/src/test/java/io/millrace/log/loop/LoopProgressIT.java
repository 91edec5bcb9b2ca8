package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.Clients;
import io.millrace.testing.Stack;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopProgressIT {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Scene scene = Scene.onTheStack();
    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(final ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now.get();
        }
    };

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void an_idle_loop_shows_that_it_is_up_to_date_and_a_stopped_one_keeps_its_last_instant() {
        try (DecidingLoop loop =
                new DecidingLoop(scene.settings(), partition -> new StartEverything(scene.name), clock)) {
            loop.start();
            await("all shards", () -> decidedAt().equals(Optional.of(START)));

            final Instant later = START.plus(LoopProgress.INTERVAL);
            now.set(later);
            await("a commit without new records", () -> decidedAt().equals(Optional.of(later)));
        }
        now.set(START.plusSeconds(3600));
        assertThat(decidedAt()).contains(START.plus(LoopProgress.INTERVAL));
    }

    @Test
    void a_loop_is_as_up_to_date_as_its_oldest_shard() {
        final TopicPartition one = new TopicPartition("a", 0);
        final TopicPartition same = new TopicPartition("b", 0);
        final TopicPartition other = new TopicPartition("a", 1);

        assertThat(LoopProgress.decidedAt(Map.of())).isEmpty();
        assertThat(LoopProgress.decidedAt(Map.of(one, new OffsetAndMetadata(3, "an older release"))))
                .isEmpty();
        assertThat(LoopProgress.decidedAt(Map.of(
                        one, at(START.plusSeconds(50)),
                        same, at(START.minusSeconds(86_400)),
                        other, at(START.plusSeconds(40)))))
                .contains(START.plusSeconds(40));
    }

    private static OffsetAndMetadata at(final Instant instant) {
        return LoopProgress.mark(7, instant);
    }

    private Optional<Instant> decidedAt() {
        try (Admin admin = Clients.openAdmin(scene.bootstrap, Stack.PATIENT)) {
            final Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(scene.service())
                    .partitionsToOffsetAndMetadata()
                    .get();
            return committed.keySet().stream()
                                    .map(TopicPartition::partition)
                                    .distinct()
                                    .count()
                            == Scene.PARTITIONS
                    ? LoopProgress.decidedAt(committed)
                    : Optional.empty();
        } catch (final ExecutionException e) {
            return Optional.empty();
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
