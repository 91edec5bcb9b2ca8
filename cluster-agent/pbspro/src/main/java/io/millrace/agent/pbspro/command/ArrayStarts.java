package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.JobArrays;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Control;
import java.util.Arrays;
import java.util.List;

/**
 * Starts several subjobs of an array. {@code qrun} takes one range in an id and several ids ({@code 12[1-5] 12[9]}). It starts subjobs until
 * one does not fit and reports an error for the range, so after an error the array is queried.
 */
public final class ArrayStarts {

    /** Subjobs of one command, so that it ends well before its time limit. */
    private static final int AT_ONCE = 200;

    private final PbsSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;

    public ArrayStarts(final PbsSite site, final Runner runner, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    public Answer<StartedTasks> start(final JobKey key, final String indices, final Control control) {
        return holds.startable(key, control).then(array -> {
            final String waiting = ArrayIndices.both(indices, JobArrays.waiting(array));
            return waiting.isEmpty()
                    ? jobs.wrongState(array, "has no waiting subjobs " + indices)
                    : holds.beforeStart(array).then(free -> run(array, waiting, indices));
        });
    }

    private Answer<StartedTasks> run(final PbsJob array, final String waiting, final String requested) {
        return StartedTasks.inChunks(
                waiting,
                requested,
                AT_ONCE,
                some -> runner.run(PbsCommand.run(site, ids(array, some))),
                () -> jobs.find(array.key()).map(JobArrays::waiting));
    }

    private static List<String> ids(final PbsJob array, final String indices) {
        return Arrays.stream(indices.split(","))
                .map(range -> array.id().replace("[]", "[" + range + "]"))
                .toList();
    }
}
