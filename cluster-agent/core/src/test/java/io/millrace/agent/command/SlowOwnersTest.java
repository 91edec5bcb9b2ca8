package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.action.ActionContext;
import io.millrace.agent.action.CommandValidator;
import io.millrace.agent.action.CrashRecovery;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.site.LocalProjects;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A user whose shell, files or programs do not answer delays only their own submissions. */
@Timeout(120)
class SlowOwnersTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final UserName SLOW = UserName.of("slow");
    private static final UserName BOB = UserName.of("bob");
    private static final int MANY = 25;

    /** Opens when the slow user's programs go on. */
    private final CountDownLatch patience = new CountDownLatch(1);

    private final Queue queue = new Queue();
    private final Written log = new Written();
    private final BackgroundCommands background = new BackgroundCommands(log::wake);
    private final OwnerAccounts owners =
            new OwnerAccounts(new Accounts(SlowOwnersTest::account), new Programs(null), true);
    private final CommandProcessor processor = new CommandProcessor(
            new LiveCommandValidator(
                    queue.adapter(),
                    new CommandValidator(Set.of()),
                    (action, now) -> Optional.empty(),
                    Clock.systemUTC(),
                    new SiteTranslation(SiteMapping.none(CLUSTER), new LocalProjects(LocalProjects.Trust.ALL)),
                    () -> null),
            new CrashRecovery(
                    new ActionContext(
                            queue.adapter(),
                            owners,
                            new StagingDirectories(null, owners),
                            null,
                            null,
                            null,
                            null,
                            (submit, job) -> {}),
                    null,
                    null,
                    null,
                    Clock.systemUTC(),
                    Duration.ZERO),
            background,
            new IncludedCommands(),
            log,
            Clock.systemUTC(),
            new AgentMetrics(new SimpleMeterRegistry()),
            new SiteTranslation(SiteMapping.none(CLUSTER), new LocalProjects(LocalProjects.Trust.ALL)),
            new CommandLanes());

    private boolean shellIsSlow;
    private boolean programsAreSlow;

    @AfterEach
    void stop() {
        patience.countDown();
        background.close();
    }

    @Test
    @Attack("25 jobs of a user whose login profile sleeps keep the agent from submitting the jobs of others")
    void a_profile_that_sleeps_delays_no_other_user() throws InterruptedException {
        shellIsSlow = true;
        processor.process(submissions(SLOW, MANY));
        processor.process(submissions(BOB, 1));

        workUntil(() -> queue.submitted(BOB) == 1);

        assertThat(queue.submitted(SLOW)).as("before the profile has ended").isZero();
        assertThat(log.begun)
                .as("what is not begun can be read again after a crash")
                .containsExactly("bob");
        patience.countDown();
        workUntil(() -> log.done.size() == MANY + 1);
        assertThat(queue.submitted(SLOW)).isEqualTo(MANY);
    }

    @Test
    @Attack("a user's file system that stops answering during a submission keeps the agent from the commands of others")
    void a_program_that_hangs_is_left_to_the_background() throws InterruptedException {
        programsAreSlow = true;
        processor.process(submissions(SLOW, MANY));
        workUntil(() -> queue.entered.availablePermits() > 0);
        processor.process(submissions(BOB, 3));

        final long since = System.nanoTime();
        workUntil(() -> queue.submitted(BOB) == 3);

        assertThat(Duration.ofNanos(System.nanoTime() - since))
                .as("the agent waits once, not for each job")
                .isLessThan(CommandProcessor.PATIENCE.multipliedBy(MANY / 2));
        assertThat(queue.submitted(SLOW)).isZero();
        patience.countDown();
        workUntil(() -> log.done.size() == MANY + 3);
        assertThat(queue.submitted(SLOW)).as("each once").isEqualTo(MANY);
        assertThat(log.begun).hasSize(MANY + 3);
    }

    @Test
    void a_submission_that_is_read_again_while_it_waits_is_executed_once() throws InterruptedException {
        shellIsSlow = true;
        processor.process(submissions(SLOW, 2));
        processor.restore(Map.of(), new AnsweredCommands());
        processor.process(submissions(SLOW, 2));
        patience.countDown();

        workUntil(() -> log.done.size() == 2);
        processor.process(submissions(SLOW, 2));

        assertThat(queue.submitted(SLOW)).isEqualTo(2);
        assertThat(log.begun).hasSize(2);
    }

    private interface Condition {
        boolean holds();
    }

    /** As the agent's loop: works whenever it is woken. */
    private void workUntil(final Condition condition) throws InterruptedException {
        while (!condition.holds()) {
            log.woken.tryAcquire(50, TimeUnit.MILLISECONDS);
            processor.process(List.of());
        }
    }

    private static List<AgentLog.Incoming> submissions(final UserName owner, final int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> submission(owner, number))
                .map(command -> (AgentLog.Incoming) new AgentLog.Incoming.CommandReceived(command, 1, 2))
                .toList();
    }

    private static Command submission(final UserName owner, final int number) {
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
        final Action submit = new Action.Submit(
                new AttemptId(GlobalJobId.of("01JZ00000000000000000000" + (owner.equals(SLOW) ? "A0" : "B0")), number),
                owner,
                spec,
                "/",
                "");
        final Instant now = Instant.now();
        return new Command(
                Command.idOf(Issuer.MIGRATION, submit, 0),
                CLUSTER,
                Issuer.MIGRATION,
                1,
                now,
                now.plusSeconds(600),
                List.of(),
                submit,
                "test");
    }

    private static Optional<Account> account(final String key) {
        return Optional.of(new Account(UserName.of(key.matches("[a-z]+") ? key : "bob"), 5000, 5000, "/", "/bin/sh"));
    }

    private void await() {
        try {
            patience.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Programs succeed, those of the slow user when they may go on. */
    private final class Programs implements Runner {

        private final UserName owner;

        Programs(final UserName owner) {
            this.owner = owner;
        }

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            if (SLOW.equals(owner) && shellIsSlow) {
                await();
            }
            return command.read(new CommandResult(0, "0022\n".getBytes(StandardCharsets.UTF_8), new byte[0]));
        }

        @Override
        public Runner as(final UserName user) {
            return new Programs(user);
        }
    }

    private final class Queue implements Observing, Submitting, Cancelling {

        private WorkloadManager adapter() {
            return WorkloadManager.of(this, this, this);
        }

        private final List<Submission> submissions = new CopyOnWriteArrayList<>();
        private final Semaphore entered = new Semaphore(0);

        long submitted(final UserName owner) {
            return submissions.stream()
                    .filter(submission -> submission.owner().equals(owner))
                    .count();
        }

        @Override
        public Answer<JobKey> submit(final Submission submission) {
            if (submission.owner().equals(SLOW) && programsAreSlow) {
                entered.release();
                await();
            }
            submissions.add(submission);
            return Answer.ok(new JobKey(
                    new JobId(
                            CLUSTER,
                            submission.owner() + "-" + submission.attempt().number()),
                    Instant.EPOCH));
        }

        @Override
        public Answer<Observation> observe() {
            return Answer.ok(
                    new Observation(Instant.now(), Control.DIRECTED, List.of(), List.of(), List.of(), Set.of()));
        }

        @Override
        public String version() {
            return "test";
        }

        @Override
        public Answer<Accepted> cancel(final JobKey job) {
            throw new AssertionError("not used");
        }
    }

    /** The owners of the submissions that were begun and done. */
    private static final class Written implements AgentLog {

        private final List<String> begun = new ArrayList<>();
        private final List<String> done = new ArrayList<>();
        private final Semaphore woken = new Semaphore(0);

        @Override
        public void commit(final List<Entry> entries) {
            entries.stream()
                    .map(entry -> (Outcome) ((Entry.Put) entry).event())
                    .forEach(outcome -> (outcome.result() instanceof Result.Begun ? begun : done)
                            .add(outcome.subject().contains("A0.") ? "slow" : "bob"));
        }

        @Override
        public void wake() {
            woken.release();
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
        public void close() {}
    }
}
