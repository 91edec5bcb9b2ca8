package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.Submission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wrapped script as a private file of its owner's in the job's directory, written with the owner's rights; it must be there for every
 * run of the job, so nobody removes it.
 *
 * @param text null: the file is made, empty and private; else it is filled. By two commands, since after the change of user standard
 *     input can be read but not opened, and what can read it makes files that others may read
 */
record ScriptFile(PbsSite site, String path, @Nullable String text) implements CommandLine<Accepted> {

    static String path(final Submission submission) {
        return submission.directory().replaceFirst("/+$", "") + "/.millrace-" + submission.attempt() + ".job";
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
                : CommandErrors.of(
                        site,
                        "writing the script " + path,
                        result,
                        Answer.Kind.REJECTED,
                        "its owner must be able to write in the job's directory");
    }
}
