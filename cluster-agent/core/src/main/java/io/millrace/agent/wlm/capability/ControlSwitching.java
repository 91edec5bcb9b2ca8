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

    Answer<Accepted> control(Control next);
}
