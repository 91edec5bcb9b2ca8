package io.millrace.agent.wlm;

import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import java.util.Map;

/**
 * What every adapter implements. It offers further capabilities by implementing {@link Starting}, {@link Moving},
 * {@link PartitionChoosing}, {@link Holding}, {@link Requeueing}, {@link Suspending}, {@link Signalling}, {@link ApplicationCheckpointing},
 * {@link Accounting}, {@link AttemptFinding}, {@link ControlSwitching}, {@link Altering}, {@link Tiering}, {@link Limiting},
 * {@link NativeCheckpointing} or {@link DryRunning}. Calls may come from several threads and block no longer than their command's limit.
 */
public interface WorkloadManager {

    /** Display name: product and version, e.g. {@code slurm 22.05.8}. */
    String version();

    /** A full observation, by one batched query of each kind, whatever the number of jobs. */
    Answer<Observation> observe();

    /** Submits the job as its owner, tagged and held with {@code HoldKind.SUBMISSION}; it does not run before it is released. */
    Answer<JobKey> submit(Submission submission);

    /** Cancels the job, pending or running. */
    Answer<Accepted> cancel(JobKey job);

    /**
     * Capabilities that the adapter implements and this installation does not allow, each with a sentence that gives the reason and the
     * remedy. Queried again whenever the workload manager was unavailable.
     */
    default Map<Capability, String> withheld() {
        return Map.of();
    }

    /**
     * Whether a request of memory that does not say for what is for each slot of the job, and not for each host. Queried again whenever
     * the workload manager was unavailable.
     */
    default boolean reservesMemoryPerSlot() {
        return false;
    }

    /** Limits of offered capabilities on this installation, one sentence each. */
    default Map<Capability, String> remarks() {
        return Map.of();
    }
}
