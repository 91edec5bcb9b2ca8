package io.millrace.agent.service;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of the connection to Kafka. */
@ConfigMapping(prefix = "millrace.kafka")
public interface KafkaConfig {

    /** The brokers, {@code host:port,…}. */
    @WithDefault("localhost:9092")
    String bootstrapServers();

    /** Further properties of every Kafka client, such as the login: a file in the format of Kafka's tools, readable by this account only. */
    Optional<Path> clientProperties();

    /** Copies of every record, should topics have to be created. */
    @WithDefault("1")
    int replication();
}
