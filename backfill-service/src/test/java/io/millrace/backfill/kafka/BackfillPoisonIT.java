package io.millrace.backfill.kafka;

import io.millrace.model.policy.PlanClosed;
import io.millrace.testing.Attack;
import io.millrace.testing.service.PoisonedLog;
import io.millrace.testing.service.PoisonedService;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackfillPoisonIT {

    @Attack("poisoned records on every topic stop backfill-service")
    @Test
    void the_service_stays_ready_and_decides_on_the_next_good_record(@TempDir final Path data) throws Exception {
        PoisonedService.withstands(data, 1365, (log, round) -> {
            final String cluster = "good" + round;
            log.put(PoisonedLog.sample(
                    "millrace.revision.closed.v1.answering",
                    "\"alpha\"",
                    '"' + cluster + '"',
                    "2026-03-01T08:00:01.500Z",
                    Instant.now().toString()));
            log.await(
                    "a plan for " + cluster,
                    PlanClosed.class,
                    plan -> plan.cluster().value().equals(cluster));
        });
    }
}
