package io.millrace.agent.lsf;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

class LsfContractIT extends WorkloadManagerContract {
    @Override
    protected ClusterUnderTest open() {
        return new OpenLavaUnderTest();
    }
}
