package io.millrace.submit.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of Kafka, with the same keys in every service. */
@ConfigMapping(prefix = "millrace.kafka")
public interface KafkaSettings {

    /** Brokers as {@code host:port,host:port}. */
    @WithDefault("localhost:9092")
    String bootstrapServers();

    /** Further properties of every Kafka client, such as the login: a file in the format of Kafka's tools, readable by this account only. */
    Optional<Path> clientProperties();

    /** Consumer group of the read model. Only instances that share a database may share it. */
    @WithDefault("millrace-submit")
    String group();

    /** Number of partitions of the topics that are partitioned by cluster. Must not be changed after the topics exist. */
    @WithDefault("12")
    int partitions();

    /** Replication factor of topics that this service creates. */
    @WithDefault("1")
    short replication();
}
