package io.millrace.submit.policy;

import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.usage.StoredRun;
import io.millrace.submit.domain.usage.UsageQuery;
import io.millrace.submit.store.job.RunEnds;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows usage records of ended runs within the retention of the read model. */
@ApplicationScoped
public class ShowUsage {

    /** Number of runs that an export holds in memory. */
    private static final int PAGE = 500;

    private final RunEnds runs;
    private final KnownClusters clusters;

    ShowUsage(final RunEnds runs, final KnownClusters clusters) {
        this.runs = runs;
        this.clusters = clusters;
    }

    /** Receives runs one by one. */
    public interface RunConsumer {
        void take(RunEnded run) throws IOException;
    }

    /**
     * A page of runs ordered by end time.
     *
     * @param after the last run of the previous page; null: first page
     * @throws RequestRefused if the query names an unknown cluster
     */
    public List<StoredRun> page(final UsageQuery query, final StoredRun.@Nullable Cursor after, final int limit) {
        final List<StoredRun> page = list(query, after, limit);
        if (page.isEmpty() && after == null) {
            clusters.requireKnown(query.cluster(), reason -> RequestRefused.invalid("cluster", "names " + reason));
        }
        return page;
    }

    private List<StoredRun> list(final UsageQuery query, final StoredRun.@Nullable Cursor after, final int limit) {
        return QuarkusTransaction.requiringNew().call(() -> runs.list(query, after, limit));
    }

    /** All runs ordered by end time; runs that end during the export may be included. */
    public void each(final UsageQuery query, final RunConsumer consumer) throws IOException {
        StoredRun.Cursor after = null;
        List<StoredRun> page;
        do {
            page = list(query, after, PAGE);
            for (final StoredRun run : page) {
                consumer.take(run.run());
                after = run.cursor();
            }
        } while (page.size() == PAGE);
    }
}
