package io.millrace.agent.openpbs;

import io.millrace.agent.pbs.PbsObject;
import java.util.List;

/** {@code qstat -Q -f}: all queues, in plain text, which every version prints; only managers write what stands there. */
record QueueQuery(TorqueSite site) implements TorqueQuery<List<PbsObject>> {

    @Override
    public List<String> argv() {
        return List.of(site.program("qstat"), "-Q", "-f");
    }

    @Override
    public List<PbsObject> parse(final String output) {
        return ListingReader.queues(output);
    }
}
