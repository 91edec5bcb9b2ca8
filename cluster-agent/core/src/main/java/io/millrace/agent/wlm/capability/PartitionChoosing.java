package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.util.List;

/** Can list several partitions for a pending job, which starts in the first one with free capacity. */
public interface PartitionChoosing {

    /** @param partitions the complete new list; {@code WRONG_STATE} if the job is not pending */
    Answer<Accepted> setPartitions(JobKey job, List<PartitionName> partitions);
}
