package io.millrace.service;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** The connection to Kafka. */
@ConfigMapping(prefix = "millrace.kafka")
public interface KafkaConfig {

    /** The brokers, {@code host:port,…}. */
    @WithDefault("localhost:9092")
    String bootstrapServers();

    /** Further properties of every Kafka client, such as the login: a file in the format of Kafka's tools, readable by this account only. */
    Optional<Path> clientProperties();

    /**
     * Name of this instance of a deciding service, different for each instance, and the same after a restart. With a name, a killed instance continues
     * its work as soon as it is restarted; without one, its partitions move after 15 s.
     */
    Optional<String> instance();

    /** Partitions of the topics that are spread by cluster, should they have to be created; the same for every service. */
    @WithDefault("12")
    int partitions();

    /** Copies of every record, should topics have to be created. */
    @WithDefault("1")
    int replication();
}
