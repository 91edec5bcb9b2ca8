package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.submit.config.KafkaSettings;
import io.smallrye.reactive.messaging.ClientCustomizer;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/**
 * Gives the clients of the channels the settings of all other clients, such as the login of the site. They do not pass through the
 * configuration of the channels, where a password of digits would become a number.
 */
@ApplicationScoped
class ChannelClients implements ClientCustomizer<Map<String, Object>> {

    /** The connector sets it if the channel does not. */
    private static final String OF_THE_CONNECTOR = "reconnect.backoff.max.ms";

    private final String bootstrapServers;

    ChannelClients(final KafkaSettings kafka) {
        this.bootstrapServers = kafka.bootstrapServers();
    }

    /** @param ofChannel the settings of the channel, which have precedence */
    @Override
    public Map<String, Object> customize(
            final String channel, final Config config, final Map<String, Object> ofChannel) {
        final Map<String, Object> client = new HashMap<>(ofChannel);
        client.remove(OF_THE_CONNECTOR);
        Clients.consumer(bootstrapServers, String.valueOf(ofChannel.get("group.id")), Map.of())
                .forEach((key, value) -> client.putIfAbsent(key, String.valueOf(value)));
        return client;
    }
}
