package io.millrace.agent.torque;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.WorkloadManagerContract;

/** OpenPBS 2.3: no XML, no arrays, nothing kept of what has ended, fewer attributes, other error numbers. */
final class ClassicOpenPbsContractIT extends WorkloadManagerContract {

    @Override
    protected ClusterUnderTest open() {
        return new TorqueClusterUnderTest(true);
    }
}
