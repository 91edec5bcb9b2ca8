package io.millrace.submit.domain.usage;

import io.millrace.model.quota.ProcessorTime;
import java.util.List;

/**
 * The cost of runs within a period.
 *
 * @param sums ordered by owner, project and cluster
 * @param opening total cost of the closed periods of the same kind before it
 * @param closed whether every cluster has closed the period, so that the statement is final
 */
public record Statement(List<StatementSum> sums, ProcessorTime opening, boolean closed) {

    public Statement {
        sums = List.copyOf(sums);
    }
}
