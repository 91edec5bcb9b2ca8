package io.millrace.transfer;

import io.millrace.transfer.domain.TransferPolicy;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The settings of transfer-service. */
@ConfigMapping(prefix = "millrace.transfer")
public interface TransferConfig {

    /** Pause after the first failed copy; doubles after each further one. */
    Duration INITIAL_BACKOFF = Duration.ofSeconds(10);

    /** Longest pause between two copies of a transfer. */
    Duration MAX_BACKOFF = Duration.ofMinutes(5);

    /** How long after its issue an agent may begin a copy; at most one hour. The copy itself may take longer. */
    Duration COMMAND_VALIDITY = Duration.ofMinutes(10);

    /** A copy that runs longer than this is stopped and restarted; files that have arrived are not sent again. */
    Duration COPY_TIMEOUT = Duration.ofHours(6);

    /** A cluster without a revision newer than this is unavailable: no copy to it starts. */
    Duration UNAVAILABLE_AFTER = Duration.ofMinutes(1);

    /** Concurrent copies between two clusters, both directions together. The copies of one owner get all of them but one. */
    @WithDefault("8")
    int perPair();

    /** Concurrent copies to one cluster, from all sources together. The copies of one owner get all of them but one. */
    @WithDefault("16")
    int perReceiver();

    /** Concurrent copies of all clusters together. The copies of one owner get all of them but one. */
    @WithDefault("100")
    int total();

    /** Failed copies after which a transfer waits until {@code mgrelease} of its job. */
    @WithDefault("5")
    int maxTries();

    /** How long the copy of a job's directory stays on another cluster after the results have been copied home. */
    @WithDefault("1d")
    Duration keepAfterSuccess();

    /** How long the copy stays after a job was stopped or aborted, so that its owner can copy files from it. */
    @WithDefault("14d")
    Duration keepAfterFailure();

    /** Bandwidth of the copies between two clusters together, in MiB/s, both directions together; 0: no limit. */
    @WithDefault("0")
    int linkBandwidth();

    /** Bandwidth of all copies together, in MiB/s; 0: no limit. */
    @WithDefault("0")
    int totalBandwidth();

    default TransferPolicy policy() {
        return new TransferPolicy(
                perPair(),
                perReceiver(),
                total(),
                maxTries(),
                INITIAL_BACKOFF,
                MAX_BACKOFF,
                COMMAND_VALIDITY,
                COPY_TIMEOUT,
                UNAVAILABLE_AFTER,
                keepAfterSuccess(),
                keepAfterFailure(),
                linkBandwidth(),
                totalBandwidth());
    }
}
