package io.millrace.submit;

import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.domain.usage.StoredRun;
import io.millrace.submit.domain.usage.UsageQuery;
import io.millrace.submit.store.job.RunEnds;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Usage records of ended runs, as long as the read model keeps them. */
@ApplicationScoped
public class ShowUsage {

    /** Runs in memory at a time, of an export of any length. */
    private static final int PAGE = 500;

    private final RunEnds runs;

    ShowUsage(final RunEnds runs) {
        this.runs = runs;
    }

    /** Takes one run after the other. */
    public interface RunConsumer {
        void take(RunEnded run) throws IOException;
    }

    /**
     * Runs in the order of their ends.
     *
     * @param after the last one of the page before; null: from the first
     */
    public List<StoredRun> page(final UsageQuery question, final StoredRun.@Nullable Cursor after, final int limit) {
        return QuarkusTransaction.requiringNew().call(() -> runs.list(question, after, limit));
    }

    /** All of them in the order of their ends; what ends meanwhile may be among them. */
    public void each(final UsageQuery question, final RunConsumer taker) throws IOException {
        StoredRun.Cursor after = null;
        List<StoredRun> page;
        do {
            page = page(question, after, PAGE);
            for (final StoredRun run : page) {
                taker.take(run.run());
                after = run.at();
            }
        } while (page.size() == PAGE);
    }
}
