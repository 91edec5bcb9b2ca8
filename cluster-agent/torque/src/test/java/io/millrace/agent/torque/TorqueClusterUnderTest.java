package io.millrace.agent.torque;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.NodeSpec;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.ClusterUnderTest;
import io.millrace.agent.wlm.JobDirectory;
import io.millrace.agent.wlm.RemoteWlm;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The adapter with a fake of two nodes of two cores. Jobs run as {@code nobody} if the tests run as root, otherwise as the current
 * user.
 */
public final class TorqueClusterUnderTest implements ClusterUnderTest {

    private final JobDirectory place = new JobDirectory("millrace-torque-");
    private final boolean classic;
    private final FakeTorque fake;
    private final WorkloadManager torque;

    public TorqueClusterUnderTest(final boolean classic) {
        this.classic = classic;
        fake = new FakeTorque(place.root(), place.accounts(), classic);
        final TorqueSite site = new TorqueSite(
                cluster(),
                null,
                null,
                fake.server.accounting(),
                ZoneOffset.UTC,
                place.root().resolve("agent").resolve("tags"),
                !classic);
        torque = Torque.of(
                site,
                new RemoteWlm(fake),
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
    }

    @Override
    public ClusterId cluster() {
        return ClusterId.of("torque");
    }

    @Override
    public WorkloadManager wlm() {
        return torque;
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
        final String id = qsub(
                script,
                "-N",
                JobVariables.shortName(name),
                "-l",
                "nodes=" + NodeSpec.of(cores, 0, 2, 0) + ",walltime=" + walltime.toSeconds());
        return new JobKey(new JobId(cluster(), id), fake.server.jobs.get(id).created);
    }

    private String qsub(final String script, final String... words) {
        final List<String> argv =
                Stream.concat(Stream.of("qsub"), Stream.of(words)).toList();
        final CommandResult result = fake.as(owner())
                .answer(
                        argv,
                        script.getBytes(StandardCharsets.UTF_8),
                        place.latest().toString(),
                        Map.of());
        if (!result.succeeded()) {
            throw new IllegalStateException(result.errorText());
        }
        return result.outputText().strip();
    }

    @Override
    public void userHolds(final JobKey job) {
        fake.as(owner()).answer("qhold", job.id().local());
    }

    @Override
    public boolean userSubmitsArray(final String name, final String script, final String indices) {
        if (!classic) {
            qsub(script, "-N", name, "-t", indices);
        }
        return !classic;
    }

    @Override
    public boolean userAsksForASession(final String name) {
        qsub("", "-I", "-N", name);
        return true;
    }

    @Override
    public String commentOf(final JobKey job) {
        return Objects.requireNonNull(fake.server.jobs.get(job.id().local())).comment;
    }

    @Override
    public PartitionName otherPartition() {
        return PartitionName.of("short");
    }

    @Override
    public Set<Capability> offers() {
        final Set<Capability> offers = EnumSet.allOf(Capability.class);
        offers.removeAll(Set.of(Capability.TIER, Capability.LIMIT, Capability.PARTITION_CHOICE));
        if (classic) {
            offers.remove(Capability.NATIVE_CHECKPOINT);
        }
        return offers;
    }

    @Override
    public List<String> wordsOfTheLastSubmission() {
        return fake.lastSubmission();
    }

    @Override
    public Duration shortestWalltime() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {
        fake.close();
        place.close();
    }
}
