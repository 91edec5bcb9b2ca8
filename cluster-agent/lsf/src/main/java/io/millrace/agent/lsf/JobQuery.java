package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandResult;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bjobs}: jobs with all that it tells of them, by one query. Finished jobs that mbatchd still remembers (CLEAN_PERIOD) are among
 * them.
 *
 * @param ids local ids; none means every job of everybody
 */
record JobQuery(LsfSite site, boolean unwrapped, List<String> ids) implements LsfQuery<List<LongFormat.Job>> {

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
        // Of several ids the unknown ones are complained about, and the others are printed.
        if (!result.succeeded() && (ids.isEmpty() || !result.complaint().contains("is not found"))) {
            return LsfErrors.of("bjobs", result, Answer.Kind.UNREADABLE);
        }
        final List<LongFormat.Job> jobs = LongFormat.read(result.output());
        if (jobs.isEmpty() && result.succeeded()) {
            return LsfErrors.of("bjobs", result, Answer.Kind.UNREADABLE); // trouble told as if it were an answer
        }
        return jobs.isEmpty() || (jobs.getLast().isWhole() && result.output()[result.output().length - 1] == '\n')
                ? Answer.ok(jobs)
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "bjobs stopped in the midst of job " + jobs.getLast().id() + "; its answer is not used");
    }

    /** An empty queue is told as an error, too. */
    static boolean isEmpty(final CommandResult result) {
        return result.output().length == 0
                && result.complaint()
                        .matches(
                                "No (unfinished |pending |running |suspended |finished |recently finished )?job found.*");
    }
}
