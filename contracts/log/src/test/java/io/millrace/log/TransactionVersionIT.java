package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.testing.Stack;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionVersionIT {

    @TempDir
    Path data;

    @Test
    void a_broker_whose_transactions_can_mix_is_refused_until_its_feature_is_upgraded() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0);
                Admin admin = Clients.openAdmin(kafka.bootstrapServers(), Stack.PATIENT)) {
            set(admin, 1, UpgradeType.SAFE_DOWNGRADE);
            assertThatThrownBy(() -> Topics.create(kafka.bootstrapServers(), 3, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("transaction.version is at version 1", "--feature transaction.version=2");
            assertThat(admin.listTopics().names().get()).isEmpty();
            set(admin, 2, UpgradeType.UPGRADE);
            Topics.create(kafka.bootstrapServers(), 3, 1);
            assertThat(admin.listTopics().names().get()).contains("millrace.plans");
        }
    }

    @Test
    void a_broker_that_answers_later_than_one_request_waits_is_asked_again() throws Exception {
        final int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        final Map<String, Object> impatient = Map.of("request.timeout.ms", 250, "default.api.timeout.ms", 250);
        try (Admin admin = Clients.openAdmin("127.0.0.1:" + port, impatient)) {
            final CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> TransactionVersion.require(admin));
            assertThatThrownBy(() -> admin.describeFeatures().featureMetadata().get())
                    .hasCauseInstanceOf(TimeoutException.class);
            assertThat(asking).isNotDone();
            try (EmbeddedKafka kafka = EmbeddedKafka.start(data, port)) {
                asking.join();
            }
        }
    }

    private static void set(final Admin admin, final int version, final UpgradeType type) throws Exception {
        admin.updateFeatures(
                        Map.of("transaction.version", new FeatureUpdate((short) version, type)),
                        new UpdateFeaturesOptions())
                .all()
                .get();
        while (admin.describeFeatures()
                        .featureMetadata()
                        .get()
                        .finalizedFeatures()
                        .get("transaction.version")
                        .maxVersionLevel()
                != version) {
            Thread.sleep(50);
        }
    }
}
