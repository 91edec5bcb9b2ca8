package io.millrace.agent.local;

import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.JobDirectory;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.job.JobSpec;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** Two nodes with two cores each in a temporary directory. Jobs run as {@code nobody} if the tests run as root, otherwise as the current user. */
final class LocalClusterUnderTest implements ClusterUnderTest {

    private final JobDirectory place = new JobDirectory("millrace-local-");
    private final LocalSettings settings;
    private LocalCluster cluster;

    LocalClusterUnderTest() {
        settings = new LocalSettings(
                cluster(),
                place.root().resolve("state"),
                2,
                2,
                Control.DIRECTED,
                true,
                Duration.ofSeconds(5),
                Duration.ofDays(30));
        cluster = new LocalCluster(settings, place.accounts(), Clock.systemUTC()).open();
    }

    /** Simulates a restart of the agent: only the state on disk remains. */
    void restart() {
        cluster.close();
        cluster = new LocalCluster(settings, place.accounts(), Clock.systemUTC()).open();
    }

    @Override
    public ClusterId cluster() {
        return ClusterId.of("local");
    }

    @Override
    public WorkloadManager wlm() {
        return cluster.adapter();
    }

    LocalCluster local() {
        return cluster;
    }

    Path state() {
        return settings.stateDir();
    }

    @Override
    public UserName owner() {
        return place.owner();
    }

    @Override
    public Path directory() {
        return place.fresh();
    }

    @Override
    public JobKey userSubmits(final String name, final String script, final int cores, final Duration walltime) {
        final AttemptId unused = GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);
        final JobSpec spec = new JobSpec(
                name,
                script,
                null,
                Resources.cores(cores),
                walltime,
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return cluster.submitLocally(
                        new Submission(unused, owner(), spec, place.latest().toString()))
                .get();
    }

    @Override
    public void userHolds(final JobKey job) {
        cluster.hold(job, HoldKind.USER).get();
    }

    @Override
    public Duration shortestWalltime() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {
        cluster.close();
        place.close();
    }
}
