package io.millrace.log.loop;

import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks regularly whether the broker answers, and logs each change once. */
final class BrokerMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerMonitor.class);
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration EVERY_IF_SILENT = Duration.ofSeconds(3);
    private static final DescribeClusterOptions QUICKLY = new DescribeClusterOptions().timeoutMs(5_000);

    private final Admin admin;
    private final LoopSettings settings;
    private volatile boolean answers;
    private volatile boolean silent;
    private volatile boolean asking;
    private volatile boolean closed;
    private long askedAt = System.nanoTime() - EVERY.toNanos();

    BrokerMonitor(final Admin admin, final LoopSettings settings) {
        this.admin = admin;
        this.settings = settings;
    }

    /** Called by one thread, often; asks without waiting for the answer. */
    void look() {
        final Duration every = answers ? EVERY : EVERY_IF_SILENT;
        if (asking || System.nanoTime() - askedAt < every.toNanos()) {
            return;
        }
        asking = true;
        askedAt = System.nanoTime();
        admin.describeCluster(QUICKLY).nodes().whenComplete((nodes, failure) -> {
            asking = false;
            if (failure == null) {
                answered();
            } else if (!closed) {
                silent(failure);
            }
        });
    }

    private void answered() {
        if (silent) {
            LOG.info("{}: the broker at {} answers again", settings.service(), settings.bootstrapServers());
        }
        silent = false;
        answers = true;
    }

    private void silent(final Throwable failure) {
        if (!silent) {
            LOG.warn(
                    "{}: the broker at {} does not answer ({}); trying on, nothing is decided meanwhile",
                    settings.service(),
                    settings.bootstrapServers(),
                    failure.getMessage());
        }
        silent = true;
        answers = false;
    }

    /** The client is about to be closed, so a missing answer is no sign of broker failure. */
    void close() {
        closed = true;
    }

    boolean answers() {
        return answers;
    }
}
