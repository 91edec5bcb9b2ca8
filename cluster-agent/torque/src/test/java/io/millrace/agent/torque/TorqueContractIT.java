package io.millrace.agent.torque;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

final class TorqueContractIT extends WorkloadManagerContract {

    @Override
    protected ClusterUnderTest open() {
        return new TorqueClusterUnderTest(false);
    }
}
