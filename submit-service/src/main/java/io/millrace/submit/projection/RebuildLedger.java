package io.millrace.submit.projection;

import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.store.Offsets;
import io.millrace.submit.store.ledger.LedgerStore;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the open periods of the ledger from the log: deletes the postings after the last closed month and resets the offsets, so that
 * the projection reads and books their records again. Balances of closed periods stay as they are. Deletion and offsets are
 * written in one transaction.
 */
@ApplicationScoped
public class RebuildLedger {

    private static final Logger LOG = LoggerFactory.getLogger(RebuildLedger.class);
    /** After the topics are created, before the channels open. */
    private static final int BEFORE_READING = 2;
    /** Maximum difference between the clocks of a broker and of quota-service. */
    private static final Duration SKEW = Duration.ofDays(1);

    private static final Duration TIMEOUT = Duration.ofHours(2);

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
            if (log.isConsumed()) {
                throw new IllegalStateException(
                        "the ledger cannot be rebuilt while another instance of submit-service runs; stop all"
                                + " instances, start one with millrace.submit.rebuild-ledger=true, then the others without it");
            }
            rebuild();
        }
    }

    /** Must be called while the projection is stopped; returns the number of deleted postings. */
    public long rebuild() {
        return QuarkusTransaction.requiringNew()
                .timeout((int) TIMEOUT.toSeconds())
                .call(this::deleteAndRewind);
    }

    private long deleteAndRewind() {
        final Map<Integer, Long> first = firsts(ledger.closedMonths());
        for (int partition = 0; partition < kafka.partitions(); partition++) {
            final Offsets.Partition of = new Offsets.Partition(Topic.LEDGER.topicName(), partition);
            offsets.lock(of);
            offsets.rewind(of, first.computeIfAbsent(partition, unclosed -> log.firstSince(unclosed, null)));
        }
        final long deleted = ledger.dropOpen();
        LOG.atInfo().addKeyValue("postings", deleted).log("rebuilding the open periods of the ledger from the log");
        return deleted;
    }

    /** The offset from which each partition must be read again. */
    private Map<Integer, Long> firsts(final Map<String, @Nullable Instant> closed) {
        final Map<Integer, Long> first = new HashMap<>();
        closed.forEach((cluster, until) -> {
            final int partition = log.partitionOf(ClusterId.of(cluster));
            first.merge(partition, log.firstSince(partition, until == null ? null : until.minus(SKEW)), Math::min);
        });
        return first;
    }
}
