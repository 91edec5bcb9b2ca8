package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.submit.store.Clusters;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Set;

/** The names of the site's clusters, read from the database at most ten times a second. */
@ApplicationScoped
public class KnownClusters {

    private static final long MAX_AGE_NS = Duration.ofMillis(100).toNanos();

    private final Clusters clusters;
    private volatile Reading newest = new Reading(Set.of(), System.nanoTime() - MAX_AGE_NS);

    KnownClusters(final Clusters clusters) {
        this.clusters = clusters;
    }

    private record Reading(Set<ClusterId> names, long at) {}

    public Set<ClusterId> names() {
        if (System.nanoTime() - newest.at() >= MAX_AGE_NS) {
            read();
        }
        return newest.names();
    }

    /** Concurrent requests share one query. */
    private synchronized void read() {
        if (System.nanoTime() - newest.at() >= MAX_AGE_NS) {
            newest = new Reading(QuarkusTransaction.requiringNew().call(clusters::names), System.nanoTime());
        }
    }
}
