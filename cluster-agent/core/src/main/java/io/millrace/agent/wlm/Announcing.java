package io.millrace.agent.wlm;

import java.util.List;

/**
 * Writes down what happens as it happens, in files that the agent can follow. What they say is a hint alone: the next look comes sooner,
 * and sees for itself.
 */
public interface Announcing {

    /** Paths of the host where the workload manager is; none where the settings name none. */
    List<EventFile> eventFiles();
}
