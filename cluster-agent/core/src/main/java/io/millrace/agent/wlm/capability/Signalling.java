package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.util.regex.Pattern;

/** Can signal the processes of a running job. */
public interface Signalling {

    /** Names of signals as printed by {@code kill -l}, without SIG. */
    Pattern NAME = Pattern.compile("[A-Z][A-Z0-9+-]{1,15}");

    /** Validates the name of a signal; {@code REJECTED} if it is not valid. */
    static Answer<String> name(final String signal) {
        return NAME.matcher(signal).matches()
                ? Answer.ok(signal)
                : Answer.trouble(
                        Answer.Kind.REJECTED,
                        "'" + signal + "' is not a valid signal name; write it without SIG, e.g. USR1");
    }

    /** @param signal name without SIG, e.g. {@code USR1}; it is sent to the script and its child processes */
    Answer<Accepted> signal(JobKey job, String signal);
}
