package io.millrace.submit;

import io.millrace.submit.domain.LedgerLine;
import io.millrace.submit.domain.Statement;
import io.millrace.submit.domain.StatementQuestion;
import io.millrace.submit.store.Ledger;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;

/** What runs have cost. */
@ApplicationScoped
public class ShowStatement {

    private final Ledger ledger;

    ShowStatement(final Ledger ledger) {
        this.ledger = ledger;
    }

    @Transactional
    public Statement statement(final StatementQuestion question) {
        return ledger.statement(question);
    }

    /** Postings in the order of time, beginning behind {@code skip} of them. */
    @Transactional
    public List<LedgerLine> lines(final StatementQuestion question, final int skip, final int limit) {
        return ledger.lines(question, skip, limit);
    }
}
