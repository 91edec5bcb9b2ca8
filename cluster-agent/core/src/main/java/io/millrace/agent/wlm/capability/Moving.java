package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;

/** Can start a pending job in another partition. */
public interface Moving {

    /**
     * As {@link Starting#start}, but in this partition. If the workload manager refuses the start, the job stays pending in its partition. Of
     * an array with several pending tasks, only the task that starts is moved; an adapter that cannot do this withholds
     * {@code MOVE_TASKS}.
     */
    Answer<Accepted> start(JobKey job, PartitionName partition);
}
