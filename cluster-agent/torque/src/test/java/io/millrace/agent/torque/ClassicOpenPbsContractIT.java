package io.millrace.agent.torque;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

/** OpenPBS 2.3: no XML, no arrays, no completed jobs, fewer attributes, other error numbers. */
final class ClassicOpenPbsContractIT extends WorkloadManagerContract {

    @Override
    protected ClusterUnderTest open() {
        return new TorqueClusterUnderTest(true);
    }
}
