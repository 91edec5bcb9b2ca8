package io.millrace.agent.observe;

import io.millrace.agent.wlm.Answer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls an adapter and turns any exception into {@link Answer.Trouble}, so that it does not end the agent's thread. */
public final class AdapterCall {

    private static final Logger LOG = LoggerFactory.getLogger(AdapterCall.class);

    private AdapterCall() {}

    /** @param what name of the call, for messages */
    public static <T> Answer<T> of(final String what, final Supplier<Answer<T>> question) {
        try {
            return question.get();
        } catch (final RuntimeException e) {
            LOG.error("{} failed in the agent", what, e);
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, what + " failed with an internal error (" + e + "); check the agent's log");
        }
    }
}
