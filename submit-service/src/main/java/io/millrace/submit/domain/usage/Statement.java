package io.millrace.submit.domain.usage;

import io.millrace.model.policy.ProcessorTime;
import java.util.List;

/**
 * What runs cost within a period.
 *
 * @param sums by owner, project and cluster, in this order
 * @param opening what the closed periods of the same kind before it have cost
 * @param closed whether the books of every cluster are closed for it, so that it never changes
 */
public record Statement(List<StatementSum> sums, ProcessorTime opening, boolean closed) {

    public Statement {
        sums = List.copyOf(sums);
    }
}
