package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbspro.query.PbsErrors;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the wrapped script as a private file of the owner in the job's directory. The file must exist for every run of the job.
 *
 * @param text null to create an empty private file, otherwise its content. Two commands are needed: after the change of user,
 *     standard input can be read but not opened, and the command that reads it would create a file that others can read
 */
record ScriptFile(PbsSite site, String path, @Nullable String text) implements CommandLine<Accepted> {

    static String path(final Submission submission) {
        return submission.directory().replaceFirst("(?<!/)/+$", "") + "/.millrace-" + submission.attempt() + ".job";
    }

    @Override
    public List<String> argv() {
        return text == null
                ? List.of("install", "-m", "600", "-T", "--", "/dev/null", path)
                : List.of("dd", "status=none", "of=" + path);
    }

    @Override
    public byte[] input() {
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Answer<Accepted> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(new Accepted(path))
                : PbsErrors.of(
                        site,
                        "writing the script " + path,
                        result,
                        Answer.Kind.REJECTED,
                        "give the job's owner write access to the job's directory");
    }
}
