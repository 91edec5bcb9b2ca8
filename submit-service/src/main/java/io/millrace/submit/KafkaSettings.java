package io.millrace.submit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where the log is; the same keys for every service. */
@ConfigMapping(prefix = "millrace.kafka")
public interface KafkaSettings {

    /** Brokers as {@code host:port,host:port}. */
    @WithDefault("localhost:9092")
    String bootstrapServers();

    /** Partitions of the topics that are spread by cluster; never changed once the topics exist. */
    @WithDefault("12")
    int partitions();

    /** Replicas of each topic that this service has to create. */
    @WithDefault("1")
    short replication();
}
