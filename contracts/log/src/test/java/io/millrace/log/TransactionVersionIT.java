package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.testing.Stack;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
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
