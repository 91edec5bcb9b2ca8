package io.millrace.submit;

import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.domain.StoredRun;
import io.millrace.submit.domain.UsageQuestion;
import io.millrace.submit.store.RunEnds;
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
    public interface Taker {
        void take(RunEnded run) throws IOException;
    }

    /**
     * Runs in the order of their ends.
     *
     * @param after the last one of the page before; null: from the first
     */
    public List<StoredRun> page(final UsageQuestion question, final StoredRun.@Nullable Place after, final int limit) {
        return QuarkusTransaction.requiringNew().call(() -> runs.list(question, after, limit));
    }

    /** All of them in the order of their ends; what ends meanwhile may be among them. */
    public void each(final UsageQuestion question, final Taker taker) throws IOException {
        StoredRun.Place after = null;
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
