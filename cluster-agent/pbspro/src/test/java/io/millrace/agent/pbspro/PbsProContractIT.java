package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

class PbsProContractIT extends WorkloadManagerContract {
    @Override
    protected ClusterUnderTest open() {
        return new PbsProUnderTest();
    }
}
