package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/** Removes the folder of temporary files at the end of a copy, with any files that a killed copy left in it. */
record RemoveTemporaryFiles(Place to) implements CommandLine<Boolean> {

    @Override
    public List<String> argv() {
        return List.of("rm", "-r", "-f", "--one-file-system", "--", to.path() + "/" + Rsync.ARRIVING);
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(true)
                : Answer.trouble(
                        Answer.Kind.REJECTED,
                        "cannot clear '" + Rsync.ARRIVING + "' in " + to + ": " + result.errorText());
    }
}
