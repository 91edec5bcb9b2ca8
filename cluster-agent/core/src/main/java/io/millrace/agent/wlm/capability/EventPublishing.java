package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.EventFile;
import java.util.List;

/**
 * Writes down what happens as it happens, in files that the agent can follow. What they say is a hint alone: the next look comes sooner,
 * and sees for itself.
 */
public interface EventPublishing {

    /** Paths of the host where the workload manager is; none where the settings name none. */
    List<EventFile> eventFiles();
}
