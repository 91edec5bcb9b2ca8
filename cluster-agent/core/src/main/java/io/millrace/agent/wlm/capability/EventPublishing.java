package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.EventFile;
import java.util.List;

/**
 * Writes events to files that the agent can follow. An event is only a hint to poll sooner; the state of the cluster always comes from a
 * poll.
 */
public interface EventPublishing {

    /** Paths on the host of the workload manager; empty if none are configured. */
    List<EventFile> eventFiles();
}
