package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.action.ActionContext;
import io.millrace.agent.action.CommandValidator;
import io.millrace.agent.action.CrashRecovery;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.site.LocalProjects;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.FoundAttempts;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.io.IOException;
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
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How commands that arrive together share transactions. */
class CommandProcessorTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");

    private final TestClock clock = new TestClock();
    private final HeldJobs wlm = new HeldJobs();
    private final Commits log = new Commits();
    /** Permits everything except starts of jobs of locked users. */
    private final Lockable lockable = new Lockable();

    private final Semaphore ended = new Semaphore(0);
    private final BackgroundCommands background = new BackgroundCommands(ended::release);
    private final CommandProcessor processor = processor(new CommandLanes(1));

    private CommandProcessor processor(final CommandLanes lanes) {
        return new CommandProcessor(
                new LiveCommandValidator(
                        wlm.adapter(),
                        new CommandValidator(
                                Set.of(Capability.START, Capability.HOLD, Capability.TIER, Capability.RECLAIM)),
                        lockable,
                        clock,
                        new SiteTranslation(SiteMapping.none(CLUSTER), new LocalProjects(LocalProjects.Trust.ALL)),
                        () -> null),
                new CrashRecovery(
                        new ActionContext(wlm.adapter(), null, null, null, null, null, null, (submit, job) -> {}),
                        null,
                        null,
                        null,
                        clock,
                        Duration.ZERO),
                background,
                new IncludedCommands(),
                log,
                clock,
                new AgentMetrics(new SimpleMeterRegistry()),
                new SiteTranslation(SiteMapping.none(CLUSTER), new LocalProjects(LocalProjects.Trust.ALL)),
                lanes);
    }

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
    @Attack("a decision that is older than the lock of the user starts a local job")
    void nothing_starts_or_continues_a_job_of_a_locked_user() {
        wlm.put(1, new JobState.Queued());
        wlm.put(2, new JobState.Held(HoldKind.SUBMISSION));
        wlm.put(3, new JobState.Running(clock.instant(), List.of()));
        lockable.locked = UserName.of("anna");

        processor.process(List.of(
                received(Issuer.BACKFILL, new Action.Start(key(1)), 1),
                received(Issuer.MIGRATION, new Action.Release(key(2)), 2),
                received(Issuer.QUOTA, new Action.Reclaim(List.of(key(3)), key(1)), 3),
                received(Issuer.MIGRATION, new Action.Cancel(key(3)), 4)));

        assertThat(log.commits.stream().flatMap(List::stream))
                .containsExactly("refused 1", "refused 2", "refused 1", "begun 3", "done 3");
        assertThat(lockable.asked).containsOnly(UserName.of("anna"));
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
    void a_reclaim_that_had_to_wait_is_not_refused_because_of_its_own_claim() {
        releaseTogether(4);
        log.commits.clear();
        wlm.put(1, new JobState.Running(clock.instant(), List.of()));
        wlm.put(3, new JobState.Held(HoldKind.ENTRY));
        wlm.hold(2);
        wlm.time = Duration.ofSeconds(1);

        processor.process(List.of(
                release(2), received(Issuer.QUOTA, new Action.Reclaim(List.of(key(1)), key(3)), List.of(), 3)));

        assertThat(log.commits).containsExactly(List.of("begun 2", "begun 3"), List.of("done 2", "begun 3"));
    }

    @Test
    void a_reclaim_whose_begin_was_not_committed_is_begun_when_it_is_read_again() {
        wlm.put(1, new JobState.Running(clock.instant(), List.of()));
        wlm.put(3, new JobState.Held(HoldKind.ENTRY));
        final AgentLog.Incoming reclaim =
                received(Issuer.QUOTA, new Action.Reclaim(List.of(key(1)), key(3)), List.of(), 3);
        log.available = false;
        assertThatThrownBy(() -> processor.process(List.of(reclaim))).isInstanceOf(AgentLog.Unavailable.class);

        log.available = true;
        processor.restore(Map.of(), new AnsweredCommands());
        processor.process(List.of(reclaim));

        assertThat(log.commits).containsExactly(List.of("begun 3"));
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

    @Test
    void a_result_of_a_background_command_shares_the_transaction_of_the_commands_that_follow() throws Exception {
        final Action reclaim = new Action.Reclaim(List.of(key(1)), key(9));
        endInBackground(command(Issuer.QUOTA, reclaim));
        wlm.hold(2);

        final boolean changed = processor.process(List.of(release(2)));

        assertThat(log.commits).containsExactly(List.of("done 9", "begun 2"), List.of("done 2"));
        assertThat(background.hasFinished()).isFalse();
        assertThat(changed).isTrue();
    }

    @Test
    void a_result_that_does_not_change_the_queue_needs_no_poll() throws Exception {
        final Action.Submit submit = submission(1);
        final Action dryRun = new Action.DryRun(
                submit.attempt(), submit.owner(), submit.spec(), submit.directory(), submit.signature());
        endInBackground(command(Issuer.MIGRATION, dryRun));

        final boolean changed = processor.process(List.of());

        assertThat(log.commits).containsExactly(List.of("done dry-run"));
        assertThat(changed).isFalse();
    }

    @Test
    void a_result_that_was_not_committed_is_committed_after_the_broker_has_answered_again() throws Exception {
        endInBackground(command(Issuer.QUOTA, new Action.Reclaim(List.of(key(1)), key(9))));
        log.available = false;
        assertThatThrownBy(() -> processor.process(List.of())).isInstanceOf(AgentLog.Unavailable.class);

        log.available = true;
        processor.restore(Map.of(), new AnsweredCommands());
        processor.process(List.of());

        assertThat(log.commits).containsExactly(List.of("done 9"));
        assertThat(background.hasFinished()).isFalse();
    }

    private void endInBackground(final Command command) throws InterruptedException {
        background.start(command, () -> new Result.Done(null, "done"));
        ended.acquire();
    }

    @Test
    void tiers_that_arrive_together_are_set_together_and_answered_one_by_one() {
        releaseTogether(1);
        log.commits.clear();
        IntStream.of(2, 3, 4).forEach(wlm::hold);
        wlm.refusedTier = key(3);

        processor.process(IntStream.of(2, 3, 4)
                .mapToObj(job -> received(Issuer.QUOTA, new Action.SetTier(key(job), Tier.BORROWED), job))
                .toList());

        assertThat(wlm.tiers).containsExactly(Set.of(key(2), key(3), key(4)));
        assertThat(log.commits)
                .containsExactly(List.of("begun 2", "begun 3", "begun 4"), List.of("done 2", "failed 3", "done 4"));
    }

    @Test
    void a_cancellation_is_executed_after_all_commands_before_it() {
        final CommandProcessor concurrent = processor(new CommandLanes(4));
        IntStream.rangeClosed(1, 5).forEach(wlm::hold);
        concurrent.process(List.of(release(1)));
        log.commits.clear();

        concurrent.process(
                List.of(release(2), release(3), release(4), received(Issuer.MIGRATION, new Action.Cancel(key(5)), 5)));

        assertThat(wlm.waitingAtCancel).containsExactly(key(5));
        assertThat(log.commits)
                .containsExactly(
                        List.of("begun 2", "begun 3", "begun 4", "begun 5"),
                        List.of("done 2", "done 3", "done 4", "done 5"));
    }

    @Test
    void attempts_of_submissions_that_arrive_together_are_looked_up_together() throws InterruptedException {
        processPrepared(processor(new CommandLanes(3)), threeSubmissions());

        assertThat(log.commits).containsExactly(List.of("refused submit", "refused submit", "refused submit"));
        assertThat(wlm.lookups).containsExactly(3);
    }

    @Test
    void attempts_that_cannot_be_looked_up_together_are_looked_up_one_by_one() throws InterruptedException {
        wlm.findsOneAtATime = true;

        processPrepared(processor(new CommandLanes(3)), threeSubmissions());

        assertThat(log.commits).containsExactly(List.of("refused submit", "refused submit", "refused submit"));
        assertThat(wlm.lookups).containsExactly(3, 1, 1, 1);
    }

    /** Processes the submissions when what they need of their owners is known. */
    private void processPrepared(final CommandProcessor of, final List<AgentLog.Incoming> submissions)
            throws InterruptedException {
        of.process(submissions);
        log.woken.acquire(submissions.size());
        of.process(List.of());
    }

    private List<AgentLog.Incoming> threeSubmissions() {
        return IntStream.rangeClosed(1, 3)
                .mapToObj(CommandProcessorTest::submission)
                .map(submit -> received(
                        Issuer.MIGRATION,
                        submit,
                        List.of(new Precondition.AttemptAbsent(submit.attempt())),
                        submit.attempt().number()))
                .toList();
    }

    private static Action.Submit submission(final int number) {
        final JobSpec spec = new JobSpec(
                "job",
                "true",
                null,
                Resources.cores(1),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new Action.Submit(
                new AttemptId(GlobalJobId.of("01JZ0000000000000000000000"), number),
                UserName.of("anna"),
                spec,
                "/",
                "");
    }

    private void releaseTogether(final int... jobs) {
        IntStream.of(jobs).forEach(wlm::hold);
        processor.process(IntStream.of(jobs).mapToObj(this::release).toList());
    }

    private AgentLog.Incoming release(final int job) {
        return received(Issuer.MIGRATION, new Action.Release(key(job)), job);
    }

    private AgentLog.Incoming received(final Issuer issuer, final Action action, final int job) {
        return received(issuer, action, List.of(), job);
    }

    private AgentLog.Incoming received(
            final Issuer issuer, final Action action, final List<Precondition> preconditions, final int job) {
        return new AgentLog.Incoming.CommandReceived(command(issuer, action, preconditions), job, job + 1);
    }

    private Command command(final Issuer issuer, final Action action) {
        return command(issuer, action, List.of());
    }

    private Command command(final Issuer issuer, final Action action, final List<Precondition> preconditions) {
        return new Command(
                Command.idOf(issuer, action, 0),
                CLUSTER,
                issuer,
                1,
                clock.instant(),
                clock.instant().plusSeconds(600),
                preconditions,
                action,
                "test");
    }

    private static JobKey key(final int job) {
        return new JobKey(new JobId(CLUSTER, Integer.toString(job)), Instant.EPOCH);
    }

    private static final class Lockable implements ActionAuthorization {

        private final List<UserName> asked = new ArrayList<>();
        private @Nullable UserName locked;

        @Override
        public Optional<String> refusal(final Action action, final Instant now) {
            return Optional.empty();
        }

        @Override
        public Optional<Veto> refusalToStart(final UserName owner) {
            asked.add(owner);
            return owner.equals(locked) ? Optional.of(VetoCode.USER_LOCKED.veto("locked")) : Optional.empty();
        }
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
    private final class HeldJobs implements Observing, Submitting, Cancelling, Holding, Tiering, AttemptFinding {

        private WorkloadManager adapter() {
            return WorkloadManager.of(this, this, this)
                    .with(Holding.class, this)
                    .with(Tiering.class, this)
                    .with(AttemptFinding.class, this);
        }

        private final Map<JobKey, JobObserved> held = new LinkedHashMap<>();
        private Duration time = Duration.ZERO;
        private JobKey alsoReleased = key(0);
        private JobKey refusedTier = key(0);
        private Set<JobKey> waitingAtCancel = Set.of();
        private final List<Integer> lookups = new ArrayList<>();
        private boolean findsOneAtATime;
        private final List<Set<JobKey>> tiers = new ArrayList<>();

        private void hold(final int job) {
            put(job, new JobState.Held(HoldKind.SUBMISSION));
        }

        private void put(final int job, final JobState state) {
            held.put(
                    key(job),
                    new JobObserved(
                            key(job),
                            "job " + job,
                            UserName.of("anna"),
                            null,
                            PartitionName.of("main"),
                            state,
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
        public synchronized Answer<Accepted> release(final JobKey job, final HoldKind kind) {
            clock.now = clock.now.plus(time);
            held.remove(alsoReleased);
            assertThat(held.remove(job)).as("held job").isNotNull();
            return Answer.ok(new Accepted("released"));
        }

        @Override
        public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
            lookups.add(owners.size());
            if (findsOneAtATime && owners.size() > 1) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "one has no submission time");
            }
            final FoundAttempts found = new FoundAttempts(owners);
            owners.keySet().forEach(attempt -> found.add(attempt, key(attempt.number()), false));
            return Answer.ok(found.inOrder());
        }

        @Override
        public Map<JobKey, Answer<Accepted>> setTiers(final Map<JobKey, Tier> wanted) {
            tiers.add(Set.copyOf(wanted.keySet()));
            return Tiering.super.setTiers(wanted);
        }

        @Override
        public Answer<Accepted> setTier(final JobKey job, final Tier tier) {
            return job.equals(refusedTier)
                    ? Answer.trouble(Answer.Kind.REJECTED, "refused")
                    : Answer.ok(new Accepted("set"));
        }

        @Override
        public Answer<Observation> observe() {
            return Answer.ok(new Observation(
                    clock.instant(), Control.DIRECTED, List.copyOf(held.values()), List.of(), List.of(), Set.of()));
        }

        @Override
        public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
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
        public synchronized Answer<Accepted> cancel(final JobKey job) {
            waitingAtCancel = Set.copyOf(held.keySet());
            return Answer.ok(new Accepted("cancelled"));
        }
    }

    /** Keeps the outcomes of each transaction. */
    private static final class Commits implements AgentLog {

        private final List<List<String>> commits = new ArrayList<>();
        private boolean available = true;

        @Override
        public void commit(final List<Entry> entries) {
            if (!available) {
                throw new Unavailable("no broker", new IOException());
            }
            commits.add(entries.stream()
                    .map(entry -> (Outcome) ((Entry.Put) entry).event())
                    .map(outcome ->
                            outcome.result().getClass().getSimpleName().toLowerCase(Locale.ROOT) + " " + job(outcome))
                    .toList());
        }

        private static String job(final Outcome outcome) {
            return switch (outcome.action()) {
                case "submit", "dry-run" -> outcome.action();
                default -> JobKey.of(outcome.subject()).id().local();
            };
        }

        @Override
        public ReplayedState open() {
            throw new AssertionError("not used");
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            throw new AssertionError("not used");
        }

        private final Semaphore woken = new Semaphore(0);

        @Override
        public void wake() {
            woken.release();
        }

        @Override
        public void close() {}
    }
}
