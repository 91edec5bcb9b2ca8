package io.millrace.agent.lsf.history;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.query.JobQuery;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bhist -l}: the events of jobs, from the event log.
 *
 * @param ids local ids; empty for all unfinished jobs
 * @param allFiles whether to search the older files of the log too, which is slow
 */
public record HistoryQuery(LsfSite site, List<String> ids, boolean allFiles) implements LsfQuery<List<LongFormat.Job>> {

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of(site.program("bhist")));
        if (allFiles) {
            argv.addAll(List.of("-n", "0"));
        }
        if (ids.isEmpty()) {
            argv.addAll(List.of("-l", "-u", "all"));
        } else {
            argv.addAll(List.of("-a", "-l"));
            argv.addAll(ids);
        }
        return argv;
    }

    @Override
    public Answer<List<LongFormat.Job>> read(final CommandResult result) {
        if (result.succeeded()) {
            return Answer.ok(LongFormat.read(result.output()));
        }
        return result.errorText().contains("o matching job found") || JobQuery.isEmpty(result)
                ? Answer.ok(LongFormat.read(result.output()))
                : LsfErrors.of("bhist", result, Answer.Kind.UNREADABLE);
    }
}
