package io.millrace.transfer;

import io.millrace.transfer.domain.TransferPolicy;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The settings of transfer-service. */
@ConfigMapping(prefix = "millrace.transfer")
public interface TransferConfig {

    /** Concurrent copies between two clusters, both directions together. */
    @WithDefault("2")
    int perPair();

    /** Concurrent copies to one cluster, from all sources together. */
    @WithDefault("4")
    int perReceiver();

    /** Failed copies after which a transfer fails. */
    @WithDefault("5")
    int maxTries();

    /** Pause after the first failed copy; doubles after each further one. */
    @WithDefault("10s")
    Duration initialBackoff();

    /** Longest pause between two copies of a transfer. */
    @WithDefault("5m")
    Duration maxBackoff();

    /** How long after its issue an agent may begin a copy; at most one hour. The copy itself may take longer. */
    @WithDefault("10m")
    Duration commandValidity();

    /** A copy that runs longer than this is stopped and restarted; files that have arrived are not sent again. */
    @WithDefault("6h")
    Duration copyTimeout();

    /** A cluster without a revision newer than this is unavailable: no copy to it starts. */
    @WithDefault("1m")
    Duration unavailableAfter();

    default TransferPolicy policy() {
        return new TransferPolicy(
                perPair(),
                perReceiver(),
                maxTries(),
                initialBackoff(),
                maxBackoff(),
                commandValidity(),
                copyTimeout(),
                unavailableAfter());
    }
}
