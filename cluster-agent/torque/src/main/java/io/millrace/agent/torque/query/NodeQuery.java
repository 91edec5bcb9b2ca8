package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import java.util.List;

/** Queries all nodes by {@code pbsnodes}. */
public record NodeQuery(TorqueSite site, boolean xml) implements TorqueQuery<List<PbsObject>> {

    @Override
    public List<String> argv() {
        return List.of(site.program("pbsnodes"), xml ? "-x" : "-a");
    }

    @Override
    public List<PbsObject> parse(final String output) {
        return ListingReader.nodes(output);
    }
}
