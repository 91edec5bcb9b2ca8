package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsObject;
import java.util.List;

/**
 * The result of a query.
 *
 * @param objects jobs, queues, nodes or the server
 * @param remark message printed in addition, e.g. that a requested job has finished
 */
public record QueryResult(List<PbsObject> objects, String remark) {

    public QueryResult {
        objects = List.copyOf(objects);
    }
}
