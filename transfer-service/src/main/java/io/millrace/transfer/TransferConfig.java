package io.millrace.transfer;

import io.millrace.transfer.domain.TransferPolicy;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The settings of transfer-service. */
@ConfigMapping(prefix = "millrace.transfer")
public interface TransferConfig {

    /** Copies at a time between two clusters, both directions together. */
    @WithDefault("2")
    int perPair();

    /** Copies at a time to one cluster, wherever they come from. */
    @WithDefault("4")
    int perReceiver();

    /** Failed copies before a transfer is given up. */
    @WithDefault("5")
    int maxTries();

    /** Pause after a first failed copy; doubles with each further one. */
    @WithDefault("10s")
    Duration retryAfter();

    /** The longest such pause. */
    @WithDefault("5m")
    Duration retryAtMost();

    /** How long an agent may take to begin a copy; at most an hour. The copy itself may take longer. */
    @WithDefault("10m")
    Duration validity();

    /** A copy that runs longer than this is stopped and begun again; what has arrived is not sent twice. */
    @WithDefault("6h")
    Duration copyDeadline();

    /** A cluster whose newest revision is older than this is silent: no copy is begun there. */
    @WithDefault("1m")
    Duration silentAfter();

    default TransferPolicy policy() {
        return new TransferPolicy(
                perPair(),
                perReceiver(),
                maxTries(),
                retryAfter(),
                retryAtMost(),
                validity(),
                copyDeadline(),
                silentAfter());
    }
}
