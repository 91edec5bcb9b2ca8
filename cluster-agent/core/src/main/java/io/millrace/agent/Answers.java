package io.millrace.agent;

import io.millrace.agent.wlm.Answer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks an adapter so that whatever goes wrong in it is trouble, and never the end of the agent's thread. */
final class Answers {

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    /** @param what is asked, for people */
    static <T> Answer<T> of(final String what, final Supplier<Answer<T>> question) {
        try {
            return question.get();
        } catch (final RuntimeException e) {
            LOG.error("{} broke off", what, e);
            return Answer.trouble(Answer.Kind.UNREADABLE, what + " broke off in the agent (" + e + "); see its log");
        }
    }
}
