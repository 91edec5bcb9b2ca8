package io.millrace.submit.policy;

import io.millrace.model.cluster.RunEnded;
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

    ShowUsage(final RunEnds runs) {
        this.runs = runs;
    }

    /** Receives runs one by one. */
    public interface RunConsumer {
        void take(RunEnded run) throws IOException;
    }

    /**
     * A page of runs ordered by end time.
     *
     * @param after the last run of the previous page; null: first page
     */
    public List<StoredRun> page(final UsageQuery query, final StoredRun.@Nullable Cursor after, final int limit) {
        return QuarkusTransaction.requiringNew().call(() -> runs.list(query, after, limit));
    }

    /** All runs ordered by end time; runs that end during the export may be included. */
    public void each(final UsageQuery query, final RunConsumer consumer) throws IOException {
        StoredRun.Cursor after = null;
        List<StoredRun> page;
        do {
            page = page(query, after, PAGE);
            for (final StoredRun run : page) {
                consumer.take(run.run());
                after = run.cursor();
            }
        } while (page.size() == PAGE);
    }
}
