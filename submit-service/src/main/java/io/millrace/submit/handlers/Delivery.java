package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;

/** Delivers events to one kind of target. */
interface Delivery {

    /** Makes one attempt within the time limit; errors are results, not exceptions. */
    DeliveryResult deliver(HandlerEvent event) throws InterruptedException;
}
