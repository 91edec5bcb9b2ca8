package io.millrace.classifier.kafka;

import io.millrace.model.UserName;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.testing.Attack;
import io.millrace.testing.service.PoisonedService;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassifierPoisonIT {

    @Attack("poisoned records on every topic stop classifier-service")
    @Test
    void the_service_stays_ready_and_decides_on_the_next_good_record(@TempDir final Path data) throws Exception {
        PoisonedService.withstands(data, 1362, (log, round) -> {
            final UserName author = UserName.of("good" + round);
            log.put(new ClassModelRequested("classes: {}", author, "as agreed", 0, Instant.now(), true));
            log.await(
                    "an answer to request " + round,
                    ClassModelChecked.class,
                    answer -> answer.author().equals(author));
        });
    }
}
