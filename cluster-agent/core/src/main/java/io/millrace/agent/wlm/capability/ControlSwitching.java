package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.Control;

/**
 * Can be switched between directed and native control while jobs are in the queue. Under native control, jobs with the entry hold
 * become eligible.
 */
public interface ControlSwitching {

    Answer<Control> control();

    /**
     * Whether only a part of the cluster was under native control when {@link #control()} was called last, for example because a queue was
     * added under directed control. {@link #control(Control)} must then be repeated even if control seems right.
     */
    default boolean isPartial() {
        return false;
    }

    Answer<Accepted> control(Control next);
}
