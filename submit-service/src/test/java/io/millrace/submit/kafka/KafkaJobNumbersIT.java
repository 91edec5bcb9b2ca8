package io.millrace.submit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.submit.EventPublisher;
import io.millrace.submit.TestSite;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Several instances of the service give numbers from the same log. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class KafkaJobNumbersIT {

    private static final int EACH = 400;

    @Inject
    KafkaSettings kafka;

    @Inject
    SubmitSettings settings;

    @Inject
    EventPublisher log;

    private KafkaJobNumbers instance() {
        return new KafkaJobNumbers(kafka, settings, log);
    }

    @Test
    void instances_that_reserve_at_the_same_time_give_no_number_twice() {
        final List<KafkaJobNumbers> instances = List.of(instance(), instance(), instance());
        final Collection<Long> given = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(instances.size())) {
            instances.forEach(one -> threads.submit(() -> {
                for (int i = 0; i < EACH; i++) {
                    given.add(one.next());
                }
            }));
        }
        instances.forEach(one -> one.stop(new ShutdownEvent()));

        assertThat(given).hasSize(instances.size() * EACH).doesNotHaveDuplicates();
        final KafkaJobNumbers restarted = instance();
        assertThat(restarted.next()).isGreaterThan(Collections.max(new ArrayList<>(given)));
        restarted.stop(new ShutdownEvent());
    }
}
