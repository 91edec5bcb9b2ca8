package io.millrace.agent.local;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

class LocalContractIT extends WorkloadManagerContract {
    @Override
    protected ClusterUnderTest open() {
        return new LocalClusterUnderTest();
    }
}
