package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.model.JobKey;

/** Can start several tasks of an array together, with as few commands as the workload manager allows. */
public interface ArrayStarting {

    /**
     * As {@link Starting#start}, for these waiting tasks. A task that does not wait is never started. Trouble means that no task was started,
     * or that it is unknown which.
     *
     * @param array the record of the waiting tasks
     * @param indices as ranges, at least one
     */
    Answer<StartedTasks> start(JobKey array, String indices);
}
