package io.millrace.quota.kafka;

import io.millrace.model.UserName;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.testing.Attack;
import io.millrace.testing.service.PoisonedService;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaPoisonIT {

    @Attack("poisoned records on every topic stop quota-service")
    @Test
    void the_service_stays_ready_and_decides_on_the_next_good_record(@TempDir final Path data) throws Exception {
        PoisonedService.withstands(data, 1361, (log, round) -> {
            final QuotaHolder holder = new QuotaHolder(QuotaHolder.Kind.USER, "good" + round);
            log.put(QuotaRequested.of(
                    holder, null, round, QuotaTerms.NONE, UserName.of("olga"), "as agreed", 0, Instant.now()));
            log.await(
                    "an answer to request " + round,
                    Quota.class,
                    quota -> quota.heldBy().equals(holder));
        });
    }
}
