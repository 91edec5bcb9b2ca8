package io.millrace.agent.slurm;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;
import org.junit.jupiter.api.Tag;

/** The contract on a real Slurm cluster. */
@Tag("slurm")
class SlurmLiveContractIT extends WorkloadManagerContract {

    @Override
    protected ClusterUnderTest open() {
        return SlurmLab.open();
    }
}
