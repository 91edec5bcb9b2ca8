package io.millrace.agent.session;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.regex.Pattern;

/** The umask of a login session of the account it runs as, such as {@code 0022}. */
public record LoginUmask() implements CommandLine<String> {

    private static final int SHOWN = 40;
    private static final Pattern MASK = Pattern.compile("[0-7]{1,4}");

    @Override
    public List<String> argv() {
        return List.of(
                "bash",
                "-c",
                Sessions.script("become"),
                "become",
                "/",
                Program.TO_THE_LOG,
                Program.BaseEnvironment.LOGIN.word(),
                "sh",
                "-c",
                "umask");
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        final String mask = result.outputText().strip();
        return result.succeeded() && MASK.matcher(mask).matches()
                ? Answer.ok(mask)
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "the login shell did not print a umask but '"
                                + mask.substring(0, Math.min(SHOWN, mask.length())) + "': " + result.errorText());
    }
}
