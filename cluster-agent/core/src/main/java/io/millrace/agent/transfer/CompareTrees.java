package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/** Compares every byte of the source tree with the destination. The answer lists the differences; it is empty if there are none. */
record CompareTrees(TransferSettings settings, Place from, Place to) implements CommandLine<List<String>> {

    @Override
    public List<String> argv() {
        return Rsync.between(
                settings,
                from,
                to,
                Rsync.words(settings, settings.silence(), "--checksum", "--dry-run", "--itemize-changes"));
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    @Override
    public Answer<List<String>> read(final CommandResult result) {
        if (!result.succeeded() && result.exit() != 24) {
            return RsyncErrors.read(result, from, to);
        }
        return Answer.ok(
                result.outputText().lines().filter(line -> !line.isBlank()).toList());
    }
}
