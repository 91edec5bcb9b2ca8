package io.millrace.submit;

import io.millrace.submit.domain.handler.HandlerStatus;
import java.util.List;

/** What the site attached, as far as this instance runs it. */
public interface HandlerControl {

    List<HandlerStatus> all();

    /**
     * Nothing more is delivered to it until it is resumed; its place on the log is kept.
     *
     * @throws io.millrace.submit.domain.RequestRefused if it is not there
     */
    void pause(String name, String because);

    /**
     * Deliveries go on, and at once where a pause before the next try was on.
     *
     * @throws io.millrace.submit.domain.RequestRefused if it is not there
     */
    void resume(String name);

    /**
     * Brings it the events that were put aside since the last time; those that fail again are put aside again.
     *
     * @throws io.millrace.submit.domain.RequestRefused if it is not there, or is at it already
     */
    void redeliver(String name);
}
