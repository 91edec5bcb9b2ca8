package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.domain.CommandValidator;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How commands that arrive together share transactions. */
class CommandProcessorTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");

    private final TestClock clock = new TestClock();
    private final HeldJobs wlm = new HeldJobs();
    private final Commits log = new Commits();
    private final CommandProcessor processor = new CommandProcessor(
            new LiveCommandValidator(
                    wlm,
                    new CommandValidator(Set.of(Capability.HOLD)),
                    (action, now) -> Optional.empty(),
                    clock,
                    new SiteTranslation(SiteMapping.none(CLUSTER)),
                    () -> null),
            new ActionExecutor(wlm, null, null, null, null, null, null, null, (submit, job) -> {}),
            new BackgroundCommands(() -> {}),
            new IncludedCommands(),
            log,
            clock,
            new AgentMetrics(new SimpleMeterRegistry()),
            new SiteTranslation(SiteMapping.none(CLUSTER)));

    @Test
    void releases_that_arrive_together_are_begun_in_one_transaction_and_answered_in_one() {
        releaseTogether(1);
        log.commits.clear();

        releaseTogether(2, 3, 4);

        assertThat(log.commits)
                .containsExactly(List.of("begun 2", "begun 3", "begun 4"), List.of("done 2", "done 3", "done 4"));
        assertThat(wlm.held).isEmpty();
    }

    @Test
    void a_slow_workload_manager_gets_one_command_per_transaction() {
        wlm.time = Duration.ofSeconds(1);

        releaseTogether(1, 2, 3);

        assertThat(log.commits)
                .containsExactly(
                        List.of("begun 1"),
                        List.of("done 1", "begun 2"),
                        List.of("done 2", "begun 3"),
                        List.of("done 3"));
    }

    @Test
    void commands_that_had_to_wait_are_validated_and_begun_again() {
        releaseTogether(1);
        log.commits.clear();
        wlm.time = Duration.ofSeconds(1);
        wlm.alsoReleased = key(3);

        releaseTogether(2, 3, 4);

        assertThat(log.commits)
                .containsExactly(
                        List.of("begun 2", "begun 3", "begun 4"),
                        List.of("done 2", "refused 3", "begun 4"),
                        List.of("done 4"));
    }

    @Test
    void a_command_that_arrives_twice_is_executed_once() {
        releaseTogether(1);
        log.commits.clear();
        wlm.hold(2);
        final AgentLog.Incoming release = release(2);

        processor.process(List.of(release, release));

        assertThat(log.commits).containsExactly(List.of("begun 2"), List.of("done 2"));
    }

    private void releaseTogether(final int... jobs) {
        IntStream.of(jobs).forEach(wlm::hold);
        processor.process(IntStream.of(jobs).mapToObj(this::release).toList());
    }

    private AgentLog.Incoming release(final int job) {
        final Action release = new Action.Release(key(job));
        final Command command = new Command(
                Command.idOf(Issuer.MIGRATION, release, 0),
                CLUSTER,
                Issuer.MIGRATION,
                1,
                clock.instant(),
                clock.instant().plusSeconds(600),
                List.of(),
                release,
                "test");
        return new AgentLog.Incoming.CommandReceived(command, job, job + 1);
    }

    private static JobKey key(final int job) {
        return new JobKey(new JobId(CLUSTER, Integer.toString(job)), Instant.EPOCH);
    }

    private static final class TestClock extends Clock {

        private Instant now = Instant.parse("2026-06-01T12:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(final ZoneId zone) {
            return this;
        }
    }

    /** A workload manager whose jobs are held until they are released. */
    private final class HeldJobs implements WorkloadManager, Holding {

        private final Map<JobKey, JobObserved> held = new LinkedHashMap<>();
        private Duration time = Duration.ZERO;
        private JobKey alsoReleased = key(0);

        private void hold(final int job) {
            held.put(
                    key(job),
                    new JobObserved(
                            key(job),
                            "job " + job,
                            UserName.of("anna"),
                            null,
                            PartitionName.of("main"),
                            new JobState.Held(HoldKind.SUBMISSION),
                            null,
                            Resources.cores(1),
                            Duration.ofHours(1),
                            Eligibility.since(Instant.EPOCH),
                            null,
                            0,
                            0,
                            new CheckpointMethod.None(),
                            JobDetail.NONE));
        }

        @Override
        public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
            clock.now = clock.now.plus(time);
            held.remove(alsoReleased);
            assertThat(held.remove(job)).as("held job").isNotNull();
            return Answer.ok(new Accepted("released"));
        }

        @Override
        public Answer<Observation> observe() {
            return Answer.ok(new Observation(
                    clock.instant(), Control.DIRECTED, List.copyOf(held.values()), List.of(), List.of(), Set.of()));
        }

        @Override
        public Answer<Accepted> hold(final JobKey job, final HoldKind kind) {
            throw new AssertionError("not used");
        }

        @Override
        public String version() {
            throw new AssertionError("not used");
        }

        @Override
        public Answer<JobKey> submit(final Submission submission) {
            throw new AssertionError("not used");
        }

        @Override
        public Answer<Accepted> cancel(final JobKey job) {
            throw new AssertionError("not used");
        }
    }

    /** Keeps the outcomes of each transaction. */
    private static final class Commits implements AgentLog {

        private final List<List<String>> commits = new ArrayList<>();

        @Override
        public void commit(final List<Entry> entries) {
            commits.add(entries.stream()
                    .map(entry -> (Outcome) ((Entry.Put) entry).event())
                    .map(outcome ->
                            outcome.result().getClass().getSimpleName().toLowerCase(Locale.ROOT) + " " + job(outcome))
                    .toList());
        }

        private static String job(final Outcome outcome) {
            return JobKey.of(outcome.subject()).id().local();
        }

        @Override
        public ReplayedState open() {
            throw new AssertionError("not used");
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            throw new AssertionError("not used");
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }
}
