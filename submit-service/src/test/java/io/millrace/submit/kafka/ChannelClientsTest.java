package io.millrace.submit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.Clients;
import io.millrace.submit.config.KafkaSettings;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChannelClientsTest {

    private final ChannelClients clients = new ChannelClients(
            new SmallRyeConfigBuilder().withMapping(KafkaSettings.class).build().getConfigMapping(KafkaSettings.class));

    @AfterEach
    void forget() {
        Clients.useEverywhere(Map.of());
    }

    @Test
    void a_channel_has_the_login_of_the_site_and_the_settings_of_all_clients() {
        Clients.useEverywhere(Map.of("security.protocol", "SSL", "ssl.keystore.password", "00123"));
        assertThat(client(Map.of()))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("ssl.keystore.password", "00123")
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("enable.auto.commit", "false")
                .containsEntry("auto.offset.reset", "earliest");
    }

    @Test
    void settings_of_the_channel_have_precedence_over_those_of_all_clients_but_not_the_default_of_the_connector() {
        assertThat(client(Map.of("max.poll.records", "10", "reconnect.backoff.max.ms", "10000")))
                .containsEntry("max.poll.records", "10")
                .containsEntry("reconnect.backoff.max.ms", "2000")
                .containsEntry("group.id", "readers");
    }

    private Map<String, Object> client(final Map<String, Object> channel) {
        final Map<String, Object> all = new HashMap<>(channel);
        all.put("group.id", "readers");
        return clients.customize("file-answers", new SmallRyeConfigBuilder().build(), all);
    }
}
