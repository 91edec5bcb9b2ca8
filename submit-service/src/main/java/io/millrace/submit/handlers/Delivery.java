package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.DeliveryResult;

/** One way to bring a letter to its handler. */
interface Delivery {

    /** Tries once, within the handler's limit of time; whatever goes wrong is a verdict. */
    DeliveryResult deliver(HandlerEvent letter) throws InterruptedException;
}
