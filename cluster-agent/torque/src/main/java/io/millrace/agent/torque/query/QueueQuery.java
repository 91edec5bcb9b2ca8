package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import java.util.List;

/**
 * Queries all queues by {@code qstat -Q -f}, in plain text, which every version prints. Only managers can write these attributes.
 */
public record QueueQuery(TorqueSite site) implements TorqueQuery<List<PbsObject>> {

    @Override
    public List<String> argv() {
        return List.of(site.program("qstat"), "-Q", "-f");
    }

    @Override
    public List<PbsObject> parse(final String output) {
        return ListingReader.queues(output);
    }
}
