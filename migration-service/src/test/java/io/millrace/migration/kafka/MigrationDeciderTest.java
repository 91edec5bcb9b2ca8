package io.millrace.migration.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.IgnoredRecords;
import io.millrace.log.LogRecord;
import io.millrace.migration.ManageGlobalJobs;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class MigrationDeciderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final MigrationDecider decider =
            new MigrationDecider(new ManageGlobalJobs(MigrationPolicy.DEFAULT, new IgnoredRecords()), live -> {});

    /** A record for which a decider throws becomes a dead letter. */
    @Test
    void copies_that_transfer_service_removes_are_no_dead_letters() {
        final StagedCopy copy = new StagedCopy(
                AttemptId.of("01KDVQ3H7R8S9T0V1W2X3Y4Z5A.1"),
                UserName.of("anna"),
                new Place(ClusterId.of("beta"), null, "/staging/anna/1"),
                new StagedCopyState.Removing(0),
                NOW,
                "signature");

        decider.apply(new LogRecord(Topic.TRANSFERS, 0, 0, NOW, copy.key(), copy));

        assertThat(decider.decide(NOW)).isEmpty();
    }
}
