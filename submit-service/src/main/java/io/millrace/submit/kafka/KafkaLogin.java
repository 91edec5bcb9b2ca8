package io.millrace.submit.kafka;

import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.submit.config.KafkaSettings;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;

/** Gives the site's client properties to all Kafka clients of this service before the first one is opened. */
@ApplicationScoped
class KafkaLogin {

    private static final int FIRST = 0;

    private final KafkaSettings kafka;

    KafkaLogin(final KafkaSettings kafka) {
        this.kafka = kafka;
    }

    void start(@Observes @Priority(FIRST) final StartupEvent event) {
        Clients.useEverywhere(
                kafka.clientProperties().map(ClientProperties::read).orElse(Map.of()));
    }
}
