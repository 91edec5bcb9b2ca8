package io.millrace.agent.wlm;

import io.millrace.model.JobKey;

/**
 * What every workload manager can do for its agent. What else one can do, its adapter says by implementing {@link Starting},
 * {@link Holding}, {@link Requeueing}, {@link Suspending}, {@link Signalling}, {@link Checkpointing}, {@link Accounting},
 * {@link Finding} or {@link Controlled}. Calls may come from several threads and block no longer than their command's limit.
 */
public interface WorkloadManager {

    /** Product and version for people, e.g. {@code slurm 22.05.8}. */
    String version();

    /** The whole picture, by one batched query of each kind whatever the number of jobs. */
    Answer<Observation> observe();

    /** Hands the job in as its owner, tagged and held with {@code HoldKind.SUBMISSION}; nothing runs before the hold is lifted. */
    Answer<JobKey> submit(Submission submission);

    /** Ends the job, waiting or running. */
    Answer<Accepted> cancel(JobKey job);
}
