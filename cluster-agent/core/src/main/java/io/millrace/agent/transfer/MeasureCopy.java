package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.file.FileResult;
import io.millrace.model.transfer.FilterRule;
import java.time.Duration;
import java.util.List;

/** Counts the files that a copy of a folder would transfer, and their bytes; rsync applies the filters, as in the copy. */
public record MeasureCopy(TransferSettings settings, String folder, List<FilterRule> filter, Duration limit)
        implements CommandLine<FileResult.CopySize> {

    @Override
    public List<String> argv() {
        return Rsync.examination(settings, folder, filter, "--stats");
    }

    @Override
    public Answer<FileResult.CopySize> read(final CommandResult result) {
        return result.succeeded()
                ? CopyTrees.statistics(result.outputText(), "measuring " + folder)
                        .map(all -> new FileResult.CopySize(all.files(), all.bytes()))
                : Answer.trouble(Answer.Kind.REJECTED, result.errorText());
    }
}
