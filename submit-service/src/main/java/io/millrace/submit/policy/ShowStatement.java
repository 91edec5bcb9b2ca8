package io.millrace.submit.policy;

import io.millrace.submit.domain.usage.LedgerPosting;
import io.millrace.submit.domain.usage.Statement;
import io.millrace.submit.domain.usage.StatementQuery;
import io.millrace.submit.store.ledger.LedgerStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the cost of ended runs. */
@ApplicationScoped
public class ShowStatement {

    private final LedgerStore ledger;

    ShowStatement(final LedgerStore ledger) {
        this.ledger = ledger;
    }

    @Transactional
    public Statement statement(final StatementQuery query) {
        return ledger.statement(query);
    }

    /** Postings ordered by time, after the last one of the previous page (null: from the first). */
    @Transactional
    public List<LedgerPosting> lines(
            final StatementQuery query, final LedgerPosting.@Nullable Cursor after, final int limit) {
        return ledger.lines(query, after, limit);
    }
}
