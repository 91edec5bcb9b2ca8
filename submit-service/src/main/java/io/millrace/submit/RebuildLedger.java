package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.store.ledger.LedgerStore;
import io.millrace.submit.store.Offsets;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the ledger from its last closed months and the log: what was booked later is dropped, and read again from where it was
 * written. Balances of closed periods stay as they are. Both are one transaction; the projection then does what it always does.
 */
@ApplicationScoped
public class RebuildLedger {

    private static final Logger LOG = Logger.getLogger(RebuildLedger.class);
    /** Behind the topics, before the channels open. */
    private static final int BEFORE_READING = 2;
    /** By how much the clock of a broker may differ from that of quota-service. */
    private static final Duration SKEW = Duration.ofDays(1);

    private static final Duration PATIENCE = Duration.ofHours(2);

    private final LedgerStore ledger;
    private final Offsets offsets;
    private final LedgerTopic log;
    private final KafkaSettings kafka;
    private final SubmitSettings settings;

    RebuildLedger(
            final LedgerStore ledger,
            final Offsets offsets,
            final LedgerTopic log,
            final KafkaSettings kafka,
            final SubmitSettings settings) {
        this.ledger = ledger;
        this.offsets = offsets;
        this.log = log;
        this.kafka = kafka;
        this.settings = settings;
    }

    void begin(@Observes @Priority(BEFORE_READING) final StartupEvent started) {
        if (settings.rebuildLedger()) {
            if (log.isFollowed()) {
                throw new IllegalStateException(
                        "the ledger cannot be rebuilt while another instance of submit-service runs: stop all of"
                                + " them, start one with millrace.submit.rebuild-ledger=true, then the others without");
            }
            rebuild();
        }
    }

    /** To be called while nobody projects; returns how many lines were dropped. */
    long rebuild() {
        return QuarkusTransaction.requiringNew()
                .timeout((int) PATIENCE.toSeconds())
                .call(this::dropAndGoBack);
    }

    private long dropAndGoBack() {
        final Map<Integer, Long> first = firsts(ledger.closedMonths());
        for (int partition = 0; partition < kafka.partitions(); partition++) {
            offsets.lock(Topic.LEDGER, partition);
            offsets.goBack(
                    Topic.LEDGER,
                    partition,
                    first.computeIfAbsent(partition, unclosed -> log.firstSince(unclosed, null)));
        }
        final long dropped = ledger.dropOpen();
        LOG.infof("rebuilding the ledger: %d lines behind the last closed months are read from the log again", dropped);
        return dropped;
    }

    /** From where each partition has to be read again. */
    private Map<Integer, Long> firsts(final Map<String, @Nullable Instant> closed) {
        final Map<Integer, Long> first = new HashMap<>();
        closed.forEach((cluster, until) -> {
            final int partition = log.partitionOf(ClusterId.of(cluster));
            first.merge(partition, log.firstSince(partition, until == null ? null : until.minus(SKEW)), Math::min);
        });
        return first;
    }
}
