package io.millrace.agent.wlm;

import io.millrace.model.cluster.Control;

/**
 * Can be switched between directed and native control while jobs are in the queue. Under native control jobs that wait behind the
 * entry gate become eligible.
 */
public interface Controlled {

    Answer<Control> control();

    Answer<Accepted> control(Control next);
}
