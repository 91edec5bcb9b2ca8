package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bjobs}: jobs with all their details in one query, including finished jobs that mbatchd still lists (CLEAN_PERIOD).
 *
 * @param ids local ids; empty for all jobs of all users
 */
public record JobQuery(LsfSite site, boolean unwrapped, List<String> ids) implements LsfQuery<List<LongFormat.Job>> {

    @Override
    public List<String> argv() {
        final List<String> argv =
                new ArrayList<>(List.of(site.program("bjobs"), "-u", "all", "-a", unwrapped ? "-UF" : "-l"));
        argv.addAll(ids);
        return argv;
    }

    @Override
    public Answer<List<LongFormat.Job>> read(final CommandResult result) {
        if (isEmpty(result)) {
            return Answer.ok(List.of());
        }
        // bjobs prints the known ids and reports an error for the others.
        if (!result.succeeded() && (ids.isEmpty() || !result.errorText().contains("is not found"))) {
            return LsfErrors.of("bjobs", result, Answer.Kind.UNREADABLE);
        }
        final List<LongFormat.Job> jobs = LongFormat.read(result.output());
        if (jobs.isEmpty() && result.succeeded()) {
            return LsfErrors.of("bjobs", result, Answer.Kind.UNREADABLE); // error reported as a normal answer
        }
        return jobs.isEmpty() || (jobs.getLast().isWhole() && result.output()[result.output().length - 1] == '\n')
                ? Answer.ok(jobs)
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "the output of bjobs is cut off in job "
                                + jobs.getLast().id() + "; output ignored");
    }

    /** Whether the result means an empty queue, which LSF reports as an error. */
    public static boolean isEmpty(final CommandResult result) {
        return result.output().length == 0
                && result.errorText()
                        .matches(
                                "No (unfinished |pending |running |suspended |finished |recently finished )?job found.*");
    }
}
