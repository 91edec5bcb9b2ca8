package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.util.List;

/** Lets a waiting job name several partitions, and starts it in whichever has room for it first. */
public interface PartitionChoosing {

    /** @param partitions all of them, those that it names already included; {@code WRONG_STATE} if it does not wait */
    Answer<Accepted> setPartitions(JobKey job, List<PartitionName> partitions);
}
