package io.millrace.agent.pbspro;

import io.millrace.agent.pbs.PbsObject;
import java.util.List;

/**
 * What a question brought.
 *
 * @param objects jobs, queues, nodes or the server
 * @param remark what the command complained of beside, e.g. that a job it was asked for has finished
 */
record QueryResult(List<PbsObject> objects, String remark) {

    QueryResult {
        objects = List.copyOf(objects);
    }
}
