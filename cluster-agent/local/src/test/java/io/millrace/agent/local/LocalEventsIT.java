package io.millrace.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The event file of the embedded workload manager. */
class LocalEventsIT {

    private final LocalClusterUnderTest site = new LocalClusterUnderTest();

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void the_end_of_a_run_is_an_event_although_nobody_asks_for_it() throws IOException, InterruptedException {
        final Path events = site.local().eventFiles().getFirst().at().apply(Instant.now());
        site.directory();
        final JobKey job = site.userSubmits("job", "#!/bin/sh\ntrue\n", 1, Duration.ofMinutes(10));
        site.local().start(job).get();

        final Instant limit = Instant.now().plusSeconds(300);
        while (!Files.exists(events) || Files.size(events) == 0) {
            assertThat(Instant.now()).as("timed out").isBefore(limit);
            Thread.sleep(50);
        }
        assertThat(Files.readString(events)).isEqualTo("changed\n");
        assertThat(site.local().observe().get().jobs()).isEmpty();
    }
}
