package io.millrace.transfer.domain;

import static io.millrace.decide.SettingBounds.requireAtLeastOne;
import static io.millrace.decide.SettingBounds.requireNotNegative;

import io.millrace.model.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * The policy of transfers.
 *
 * @param perPair concurrent copies between two clusters, both directions together
 * @param perReceiver concurrent copies to one cluster
 * @param total concurrent copies of all clusters together
 * @param maxTries failed copies after which a transfer waits until it is released
 * @param initialBackoff pause after the first failed copy; doubles after each further one
 * @param maxBackoff longest pause between two copies
 * @param commandValidity how long after its issue an agent may begin a copy; at most one hour
 * @param copyTimeout how long a copy may run before it is stopped and restarted; files that have arrived are kept
 * @param unavailableAfter a cluster without a revision newer than this is unavailable: no command is issued to it
 * @param keepAfterSuccess how long the copy of a job's directory stays on another cluster after its results have come home
 * @param keepAfterFailure how long it stays after a job was stopped or aborted
 * @param linkBandwidth_mib_s bandwidth of the copies between two clusters together; 0: no limit
 * @param totalBandwidth_mib_s bandwidth of all copies together; 0: no limit
 */
public record TransferPolicy(
        int perPair,
        int perReceiver,
        int total,
        int maxTries,
        Duration initialBackoff,
        Duration maxBackoff,
        Duration commandValidity,
        Duration copyTimeout,
        Duration unavailableAfter,
        Duration keepAfterSuccess,
        Duration keepAfterFailure,
        int linkBandwidth_mib_s,
        int totalBandwidth_mib_s) {

    /** Concurrent removals of copies on one cluster. */
    static final int REMOVALS_PER_CLUSTER = 2;

    public TransferPolicy {
        requireAtLeastOne("millrace.transfer.per-pair", perPair);
        requireAtLeastOne("millrace.transfer.per-receiver", perReceiver);
        requireAtLeastOne("millrace.transfer.total", total);
        requireAtLeastOne("millrace.transfer.max-tries", maxTries);
        requireNotNegative("millrace.transfer.keep-after-success", keepAfterSuccess);
        requireNotNegative("millrace.transfer.keep-after-failure", keepAfterFailure);
        requireNotNegative("millrace.transfer.link-bandwidth", linkBandwidth_mib_s);
        requireNotNegative("millrace.transfer.total-bandwidth", totalBandwidth_mib_s);
    }

    /** When a command issued at {@code issued} can no longer have begun without a report. */
    public Instant settled(final Instant ordered) {
        return ordered.plus(commandValidity).plus(unavailableAfter);
    }

    /** When a transfer planned at {@code since} may start after so many failed copies. One that was released starts at once. */
    public Instant nextTry(final Instant since, final int tries) {
        return tries % maxTries == 0 ? since : since.plus(new Backoff(initialBackoff, maxBackoff).after(tries));
    }

    /** The pauses after failed removals of a staged copy. No job waits for a removal, so they are longer than those of a copy. */
    public Backoff removalBackoff() {
        return new Backoff(maxBackoff, maxBackoff.multipliedBy(256));
    }
}
