package io.millrace.agent.observe;

import io.millrace.agent.wlm.Answer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks an adapter so that whatever goes wrong in it is trouble, and never the end of the agent's thread. */
public final class AdapterCall {

    private static final Logger LOG = LoggerFactory.getLogger(AdapterCall.class);

    private AdapterCall() {}

    /** @param what is asked, for people */
    public static <T> Answer<T> of(final String what, final Supplier<Answer<T>> question) {
        try {
            return question.get();
        } catch (final RuntimeException e) {
            LOG.error("{} broke off", what, e);
            return Answer.trouble(Answer.Kind.UNREADABLE, what + " broke off in the agent (" + e + "); see its log");
        }
    }
}
