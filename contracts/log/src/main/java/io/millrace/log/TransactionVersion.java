package io.millrace.log;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The broker's feature {@code transaction.version}. Before version 2 (KIP-890), a record that a producer sent in an aborted transaction can
 * arrive late and become part of the next one, so a decision that was given up would be carried out.
 */
final class TransactionVersion {

    private static final String FEATURE = "transaction.version";
    private static final short REQUIRED = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private TransactionVersion() {}

    /**
     * Refuses an older broker. Every account may ask.
     *
     * @throws IllegalStateException if the version is too old, or the broker does not answer for two minutes
     */
    static void require(final Admin admin) {
        final int version = version(admin);
        if (version < REQUIRED) {
            throw new IllegalStateException("the broker's feature " + FEATURE + " is at version " + version + ", but "
                    + REQUIRED + " (KIP-890) is required; use brokers from version 4.0 on and run: kafka-features.sh"
                    + " --bootstrap-server HOST:PORT upgrade --feature " + FEATURE + "=" + REQUIRED);
        }
    }

    /** Asks again if the broker is slow or still starting: an interrupt ends the wait soon, as one long request would not. */
    private static int version(final Admin admin) {
        final long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                final FinalizedVersionRange range = admin.describeFeatures()
                        .featureMetadata()
                        .get()
                        .finalizedFeatures()
                        .get(FEATURE);
                return range == null ? 0 : range.maxVersionLevel();
            } catch (final ExecutionException e) {
                if (!(e.getCause() instanceof TimeoutException) || System.nanoTime() > until) {
                    throw new IllegalStateException("the features of the broker cannot be read: " + e.getMessage(), e);
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while reading the features of the broker", e);
            }
        }
    }
}
