package io.millrace.agent.wlm;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running cluster for {@link WorkloadManagerContract}: directed control, at least 4 idle cores on at least 2 nodes. */
public interface ClusterUnderTest extends AutoCloseable {

    ClusterId cluster();

    WorkloadManager wlm();

    /** An ordinary user who may run jobs here. */
    UserName owner();

    /** A fresh directory of the owner's that all nodes see. */
    Path directory();

    /** The owner hands a job in by the cluster's own means, past Millrace. */
    JobKey userSubmits(String name, String script, int cores, Duration walltime);

    /** The owner holds an own waiting job by the cluster's own means. */
    void userHolds(JobKey job);

    /**
     * The owner hands an array of jobs of one core in by the cluster's own means, past Millrace.
     *
     * @param indices sparse, as {@code 2,5-7}
     * @return false where this workload manager has no arrays, and nothing was handed in
     */
    default boolean userSubmitsArray(final String name, final String script, final String indices) {
        return false;
    }

    /**
     * The owner asks for cores to sit at, by the cluster's own means, past Millrace.
     *
     * @return false where this workload manager has no interactive jobs, and nothing was asked for
     */
    default boolean userAsksForASession(final String name) {
        return false;
    }

    /** Another partition than jobs go to by themselves, with idle cores; null where there is none. */
    default @Nullable PartitionName otherPartition() {
        return null;
    }

    /** What this very installation offers; null: whatever it says. */
    default @Nullable Set<Capability> offers() {
        return null;
    }

    /** The command line that handed the last job in, word by word; null where nobody wrote it down. */
    default @Nullable List<String> wordsOfTheLastSubmission() {
        return null;
    }

    /** What a user reads beside the job by the cluster's own means; null if it does not show the sentence, or not word by word. */
    default @Nullable String commentOf(final JobKey job) {
        return null;
    }

    /** The shortest walltime limit that this workload manager can enforce. */
    Duration shortestWalltime();

    /** How long to wait for anything to happen before the test gives up. */
    default Duration patience() {
        return Duration.ofMinutes(5);
    }

    @Override
    void close();
}
