package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.cluster.Control;
import java.util.List;

/**
 * Queries the server by {@code qstat -B -f}: its version, and whether its scheduler starts jobs. Only managers can write these
 * attributes.
 */
public record ServerQuery(TorqueSite site) implements TorqueQuery<PbsObject> {

    @Override
    public List<String> argv() {
        return List.of(site.program("qstat"), "-B", "-f");
    }

    @Override
    public PbsObject parse(final String output) {
        final List<PbsObject> servers = ListingReader.servers(output);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("it contains no server");
        }
        return servers.get(0);
    }

    /** Control is directed if the local scheduler is off. */
    public static Control control(final PbsObject server) {
        return server.is("scheduling") ? Control.NATIVE : Control.DIRECTED;
    }
}
