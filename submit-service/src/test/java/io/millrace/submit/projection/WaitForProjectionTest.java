package io.millrace.submit.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.protocol.Topic;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.store.Offsets;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class WaitForProjectionTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);
    private static final Offsets.Partition HERE = new Offsets.Partition(Topic.SUBMISSIONS.topicName(), 0);

    @Test
    void a_request_continues_when_its_record_has_been_projected_here() {
        final WaitForProjection projection = projection(LONG);
        projection.assigned(HERE, 5);
        final CompletableFuture<Boolean> passed =
                CompletableFuture.supplyAsync(() -> projection.passed(at(6)), THREADS);

        projection.projected(List.of(at(5)));
        projection.projected(List.of(at(6)));

        assertThat(passed).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void a_record_that_was_projected_before_the_assignment_needs_no_wait() {
        final WaitForProjection projection = projection(Duration.ZERO);
        projection.assigned(HERE, 5);

        assertThat(projection.passed(at(4))).isTrue();
        assertThat(projection.passed(at(5))).isFalse();
    }

    @Test
    void a_request_that_waits_ends_the_pause_of_the_projection() {
        final WaitForProjection projection = projection(LONG);
        projection.assigned(HERE, 5);
        final CompletableFuture<Void> paused =
                CompletableFuture.runAsync(() -> projection.pauseUnlessAwaited(Duration.ofDays(1)), THREADS);
        final CompletableFuture<Boolean> passed =
                CompletableFuture.supplyAsync(() -> projection.passed(at(5)), THREADS);

        assertThat(paused).succeedsWithin(LONG);
        projection.projected(List.of(at(5)));
        assertThat(passed).succeedsWithin(LONG).isEqualTo(true);
    }

    private static LogPosition at(final long offset) {
        return new LogPosition(Topic.SUBMISSIONS.topicName(), 0, offset);
    }

    /** None of its partitions belongs to another instance, so it does not read the database. */
    private static WaitForProjection projection(final Duration timeout) {
        final SubmitSettings settings = (SubmitSettings) Proxy.newProxyInstance(
                SubmitSettings.class.getClassLoader(),
                new Class<?>[] {SubmitSettings.class},
                (proxy, method, arguments) -> method.getName().equals("projectionTimeout") ? timeout : null);
        return new WaitForProjection(new Offsets(), settings);
    }
}
