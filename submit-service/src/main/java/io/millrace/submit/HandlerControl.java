package io.millrace.submit;

import io.millrace.submit.domain.handler.HandlerStatus;
import java.util.List;

/** Controls the event handlers that this instance runs. */
public interface HandlerControl {

    List<HandlerStatus> all();

    /**
     * Stops deliveries until the handler is resumed; its offsets are kept.
     *
     * @throws io.millrace.submit.domain.RequestRefused if the handler does not exist
     */
    void pause(String name, String reason);

    /**
     * Continues deliveries and ends a back-off.
     *
     * @throws io.millrace.submit.domain.RequestRefused if the handler does not exist
     */
    void resume(String name);

    /**
     * Delivers the events that were dead-lettered since the last redelivery; events that fail again are dead-lettered again.
     *
     * @throws io.millrace.submit.domain.RequestRefused if the handler does not exist, or a redelivery is running
     */
    void redeliver(String name);
}
