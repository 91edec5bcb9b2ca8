package io.millrace.submit;

import io.millrace.log.EventSink;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.protocol.EventType;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Kind;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.submit.domain.submission.Ulid;
import io.millrace.testing.Stack;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** Events of other services. */
public final class TestData {

    public static final ClusterId ALPHA = ClusterId.of("alpha");
    public static final ClusterId BETA = ClusterId.of("beta");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    /** Beyond those that the service gives in tests. */
    private static final AtomicLong NUMBERS = new AtomicLong(1_000_000);

    private static final Set<ClusterId> KNOWN = new HashSet<>();
    private static EventSink sink;

    private TestData() {}

    public static synchronized EventSink log() {
        if (sink == null) {
            sink = new EventSink(
                    ConfigProvider.getConfig().getValue("millrace.kafka.bootstrap-servers", String.class),
                    "test",
                    Clock.systemUTC(),
                    Stack.PATIENT);
        }
        return sink;
    }

    /** Publishes an event and returns its position, which a GET can wait for. */
    public static String publish(final Event event) {
        if (EventType.of(event).topic().isPerCluster()) {
            known(event.cluster());
        }
        final var written = log().put(event).join();
        return written.topic() + "/" + written.partition() + "/" + written.offset();
    }

    /** Creates the topics of a cluster, as its agent does. */
    public static synchronized void known(final ClusterId cluster) {
        if (KNOWN.add(cluster)) {
            Topics.create(
                    ConfigProvider.getConfig().getValue("millrace.kafka.bootstrap-servers", String.class), cluster, 1);
        }
    }

    public static String gone(final OutgoingEvent.Remove tombstone) {
        if (tombstone.topic().isPerCluster()) {
            known(Objects.requireNonNull(tombstone.cluster()));
        }
        final var written = log().send(tombstone).join();
        return written.topic() + "/" + written.partition() + "/" + written.offset();
    }

    public static RevisionClosed marker(final ClusterId cluster, final long revision, final int free) {
        return new RevisionClosed(
                cluster,
                revision,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "local",
                new Resources(16, 2, 32_000, 0),
                new Resources(free, 1, 16_000, 0),
                Set.of(Capability.START, Capability.HOLD),
                0,
                "/stage",
                null,
                Map.of());
    }

    /** Publishes the markers of two clusters and returns the last position. */
    public static String clusters() {
        publish(SiteMappingObserved.none(BETA).accepting(Set.of(ALPHA)));
        publish(marker(BETA, 1, 12));
        return publish(marker(ALPHA, 1, 8));
    }

    public static JobKey key(final ClusterId cluster, final int number) {
        return new JobKey(new JobId(cluster, Integer.toString(number)), NOON.plusSeconds(number));
    }

    public static JobObserved local(
            final JobKey key, final String user, final JobState state, final AttemptId attempt) {
        return local(key, user, state, attempt, 0);
    }

    /** @param restarts how often it was requeued */
    public static JobObserved local(
            final JobKey key, final String user, final JobState state, final AttemptId attempt, final int restarts) {
        return new JobObserved(
                key,
                "Länge 3 \"x\"",
                UserName.of(user),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(4),
                Duration.ofHours(1),
                Eligibility.since(key.submittedAt()),
                attempt,
                restarts,
                10,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    /** A run of one core-hour with a refund of a quarter. */
    public static LedgerEntry booked(final JobKey job, final int run, final String user) {
        return booked(job, run, user, NOON, "2026-W09", "2026-03", "2026");
    }

    /** The same, ended and booked at these times. */
    public static LedgerEntry booked(
            final JobKey job, final int run, final String user, final Instant at, final String... periods) {
        final String cluster = "cluster/" + job.cluster();
        final String account = "use/" + user + "/physics";
        return new LedgerEntry(
                job,
                run,
                UserName.of(user),
                ProjectName.of("physics"),
                at,
                List.of(periods),
                1000,
                List.of(
                        new Posting(Kind.CHARGE, account, cluster, new ProcessorTime(3600, 0)),
                        new Posting(Kind.REFUND, "loss/" + job.cluster(), account, new ProcessorTime(900, 0))),
                null,
                null);
    }

    /** A run of ten minutes on four cores. */
    public static RunEnded ended(
            final JobKey job,
            final String user,
            final @Nullable String project,
            final Instant end,
            final RunOutcome outcome) {
        return new RunEnded(
                job,
                "a \"b\", c",
                null,
                UserName.of(user),
                project == null ? null : ProjectName.of(project),
                PartitionName.of("main"),
                new Resources(4, 1, 2048, 0),
                Duration.ofHours(1),
                1,
                end.minusSeconds(600),
                end,
                outcome,
                0,
                "sacct",
                null);
    }

    public static GlobalJobId id() {
        return Ulid.random(Instant.now(), ThreadLocalRandom.current());
    }

    public static JobSubmitted submitted(final GlobalJobId id, final String user, final String name) {
        final JobSpec spec = new JobSpec(
                name,
                "#!/bin/sh\ntrue\n",
                null,
                Resources.cores(4),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new JobSubmitted(
                id,
                NUMBERS.incrementAndGet(),
                UserName.of(user),
                spec,
                ALPHA,
                "/home/" + user,
                null,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                "signature");
    }

    public static GlobalJob job(final JobSubmitted submission, final GlobalJobState state, final long version) {
        return new GlobalJob(
                submission, state, List.of(), null, submission.submittedAt().plusSeconds(version), version);
    }

    public static GlobalJob placed(
            final JobSubmitted submission, final GlobalJobState state, final JobKey local, final long version) {
        final Attempt attempt = new Attempt(
                1, BETA, "/stage/1", "beta has 12 idle cores, 4 are asked for", submission.submittedAt(), local);
        return new GlobalJob(
                submission,
                state,
                List.of(attempt),
                null,
                submission.submittedAt().plusSeconds(version),
                version);
    }

    public static String body(final String name) {
        return """
            {"name": "%s", "command": ["sleep", "1"], "cores": 4, "walltime": "1:00:00",
             "source": "alpha", "directory": "/home/anna/run"}\
            """.formatted(name);
    }
}
