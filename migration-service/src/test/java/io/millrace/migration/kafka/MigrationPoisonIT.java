package io.millrace.migration.kafka;

import io.millrace.model.job.GlobalJob;
import io.millrace.testing.Attack;
import io.millrace.testing.service.PoisonedLog;
import io.millrace.testing.service.PoisonedService;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationPoisonIT {

    private static final String SAMPLE = "01JNFQ6M5T8W3KZX9B2C4D7E1F";

    @Attack("poisoned records on every topic stop migration-service")
    @Test
    void the_service_stays_ready_and_decides_on_the_next_good_record(@TempDir final Path data) throws Exception {
        PoisonedService.withstands(data, 1363, (log, round) -> {
            final String id = "01JNFQ6M5T8W3KZX9B2C4D7E0" + round;
            log.put(PoisonedLog.sample("millrace.job.submitted.v1.choosy", SAMPLE, id));
            log.await(
                    "a state of job " + id,
                    GlobalJob.class,
                    job -> job.id().value().equals(id));
        });
    }
}
