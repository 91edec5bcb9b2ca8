package io.millrace.agent.wlm.capability;

import io.millrace.model.cluster.Capability;
import java.util.Map;

/** Knows what this installation restricts. */
public interface Restricting {

    /** Queried again whenever the workload manager was unavailable. */
    Restrictions restrictions();

    /**
     * What an installation restricts.
     *
     * @param withheld capabilities that the adapter implements and this installation does not allow, each with a sentence that gives the reason
     *     and the remedy
     * @param remarks limits of offered capabilities, one sentence each
     */
    record Restrictions(Map<Capability, String> withheld, Map<Capability, String> remarks) {

        public static final Restrictions NONE = new Restrictions(Map.of(), Map.of());
    }
}
