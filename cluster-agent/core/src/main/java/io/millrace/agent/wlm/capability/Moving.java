package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;

/** Can start a job in another partition than the one it waits in. */
public interface Moving extends Starting {

    /**
     * As {@link Starting#start}, in this partition. Refused by the workload manager, the job waits where it did. Of the tasks of an array that wait
     * together, the one that starts goes there alone.
     */
    Answer<Accepted> start(JobKey job, PartitionName partition);
}
