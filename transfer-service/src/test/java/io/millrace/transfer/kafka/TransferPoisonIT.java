package io.millrace.transfer.kafka;

import io.millrace.model.transfer.Transfer;
import io.millrace.testing.Attack;
import io.millrace.testing.service.PoisonedLog;
import io.millrace.testing.service.PoisonedService;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferPoisonIT {

    private static final String SAMPLE = "01JNFQ6M5T8W3KZX9B2C4D7E1F";

    @Attack("poisoned records on every topic stop transfer-service")
    @Test
    void the_service_stays_ready_and_decides_on_the_next_good_record(@TempDir final Path data) throws Exception {
        PoisonedService.withstands(data, 1364, (log, round) -> {
            final String id = "01JNFQ6M5T8W3KZX9B2C4D7E0" + round;
            log.put(PoisonedLog.sample("millrace.transfer.requested.v1", SAMPLE, id));
            log.await(
                    "a decision on transfer " + id,
                    Transfer.class,
                    transfer -> transfer.attempt().job().value().equals(id));
        });
    }
}
