package io.millrace.agent.slurm;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

/** The contract on a real Slurm cluster. */
class SlurmLiveContractIT extends WorkloadManagerContract {

    @Override
    protected ClusterUnderTest open() {
        return SlurmLab.open();
    }
}
