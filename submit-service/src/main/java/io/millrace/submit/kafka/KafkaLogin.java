package io.millrace.submit.kafka;

import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.submit.config.KafkaSettings;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
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
        Clients.useEverywhere(ofTheSite());
    }

    /** For the channel, whose consumer is opened by the connector. */
    @Produces
    @Singleton
    @Identifier("site")
    Map<String, Object> ofTheSite() {
        return kafka.clientProperties().map(ClientProperties::read).orElse(Map.of());
    }
}
