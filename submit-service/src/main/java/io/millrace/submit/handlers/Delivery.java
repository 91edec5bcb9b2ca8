package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.Letter;
import io.millrace.submit.domain.handler.Verdict;

/** One way to bring a letter to its handler. */
interface Delivery {

    /** Tries once, within the handler's limit of time; whatever goes wrong is a verdict. */
    Verdict deliver(Letter letter) throws InterruptedException;
}
