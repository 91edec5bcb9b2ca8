package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.SlurmLab;
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopSettings;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption.Mode;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.policy.Quota;
import io.millrace.model.protocol.Topic;
import io.millrace.quota.EnforceQuotas;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.kafka.ClusterDecider;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise 3 on live Slurm: the agent is killed between {@code Begun} and its answer, before, during and after each order it gives. Its
 * next life answers once, says what is true, and gives no order again. And, while the lab is up: what quota-service has a living agent do there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlurmCrashIT {

    private static final String COUNTING = "#!/bin/sh\necho run >>runs\nexec sleep 600\n";

    private static final UserName ALICE = UserName.of("mr-alice");
    private static final UserName BOB = UserName.of("mr-bob");

    private SlurmLab lab;
    private Slurm slurm;
    private Deciders deciders;
    private Path directory;
    private Process agent;

    @TempDir
    Path home;

    @BeforeAll
    void open() {
        lab = SlurmLab.openWithAccounting();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @BeforeEach
    void start() throws IOException {
        deciders = new Deciders(Stack.kafka().bootstrapServers());
        slurm = lab.wlm(deciders.cluster);
        directory = lab.directory();
        agent = agent();
    }

    @AfterEach
    void stop() throws Exception {
        slurm.observe().get().jobs().forEach(job -> slurm.cancel(job.job()));
        agent.getOutputStream().close();
        assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
        deciders.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sbatch before", "sbatch during", "sbatch after"})
    void a_submit_hands_in_one_job_or_none(final String trap) throws Exception {
        final AttemptId attempt = deciders.attempt();
        final Result answer = crashIn(trap, Issuer.MIGRATION, submit(attempt));

        final List<Found> found = slurm.find(attempt).get();
        assertThat(found).hasSizeLessThanOrEqualTo(1);
        if (trap.endsWith("before")) {
            assertThat(found).isEmpty();
        }
        if (trap.endsWith("after")) {
            assertThat(found).hasSize(1);
        }
        if (found.isEmpty()) {
            assertThat(answer).isInstanceOf(Result.Failed.class);
        } else {
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Result.Done.class,
                            done -> assertThat(done.job())
                                    .isEqualTo(found.get(0).job()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scontrol update before",
                "scontrol update after",
                "scontrol release before",
                "scontrol release during",
                "scontrol release after"
            })
    void a_start_runs_the_job_once_or_not_at_all(final String trap) throws Exception {
        final JobKey job = released();
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.Start(job));

        if (answer instanceof Result.Done) {
            deciders.awaitState(job, JobState.Running.class);
            deciders.await("the script to begin", () -> runs() > 0);
        } else {
            assertThat(answer).isInstanceOf(Result.Failed.class);
            assertThat(observed(job).state()).isInstanceOf(JobState.Held.class);
        }
        assertThat(answer instanceof Result.Done).isEqualTo(runs() == 1);
        assertThat(runs()).isLessThanOrEqualTo(1);
        if (trap.equals("scontrol release after")) {
            assertThat(answer).isInstanceOf(Result.Done.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scontrol update after", "scontrol release after"})
    void a_start_elsewhere_runs_there_once_or_waits_at_the_gate(final String trap) throws Exception {
        final PartitionName other = lab.otherPartition();
        final JobKey job = released();
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.Start(job, other));

        assertThat(observed(job).partition()).isEqualTo(other);
        if (trap.startsWith("scontrol update")) {
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Result.Failed.class,
                            failed -> assertThat(failed.reason()).contains("waits in partition fast"));
            assertThat(observed(job).state()).isInstanceOf(JobState.Held.class);
            assertThat(runs()).isZero();
            deciders.does(Issuer.BACKFILL, new Action.Start(job, other));
        } else {
            assertThat(answer).isInstanceOf(Result.Done.class);
        }
        deciders.awaitState(job, JobState.Running.class);
        deciders.await("the script to begin", () -> runs() > 0);
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"scontrol requeuehold before", "scontrol requeuehold during", "scontrol requeuehold after"})
    void a_requeue_costs_one_run_or_none(final String trap) throws Exception {
        final JobKey job = running();
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.Requeue(job));

        assertThat(answer).isInstanceOfAny(Result.Done.class, Result.Failed.class);
        deciders.await(job + " to settle", () -> !(observed(job).state() instanceof JobState.Completing));
        assertThat(observed(job).restarts()).isEqualTo(answer instanceof Result.Done ? 1 : 0);
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"scancel before", "scancel during", "scancel after"})
    void a_cancel_ends_the_job_or_leaves_it(final String trap) throws Exception {
        final JobKey job = released();
        final Result answer = crashIn(trap, Issuer.MIGRATION, new Action.Cancel(job));

        final boolean there = slurm.observe().get().jobs().stream()
                .anyMatch(seen -> seen.job().equals(job));
        assertThat(answer instanceof Result.Done).isEqualTo(!there);
    }

    @ParameterizedTest
    @ValueSource(strings = {"scontrol update before", "scontrol update after"})
    void a_walltime_is_altered_or_not_and_the_answer_says_which(final String trap) throws Exception {
        final JobKey job = released();
        final Duration before = observed(job).walltime();
        final Duration other = before.plusMinutes(7);
        final Result answer = crashIn(trap, Issuer.BACKFILL, new Action.AlterWalltime(job, other));

        assertThat(observed(job).walltime()).isEqualTo(answer instanceof Result.Done ? other : before);
        assertThat(answer).isInstanceOf(trap.endsWith("after") ? Result.Done.class : Result.Failed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"scontrol update before", "scontrol update after"})
    void a_job_changes_its_tier_once_or_not_and_again_does_no_harm(final String trap) throws Exception {
        slurm.setLimit(lab.owner(), 4).get();
        final JobKey job = released();
        final Result answer = crashIn(trap, Issuer.QUOTA, new Action.SetTier(job, Tier.BORROWED));

        assertThat(answer).isInstanceOf(Result.Failed.class);
        final List<String> orders = journal();
        deciders.does(Issuer.QUOTA, new Action.SetTier(job, Tier.BORROWED));
        assertThat(journal()).hasSize(orders.size() + (trap.endsWith("after") ? 0 : 1));
        assertThat(runs()).isZero();
        slurm.setLimit(lab.owner(), null).get();
    }

    /** The steps of a first limit: the common QoS, the user's own one, the user who may use both. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sacctmgr --immediate add qos before",
                "sacctmgr --immediate add qos after",
                "sacctmgr --immediate modify user before",
                "sacctmgr --immediate modify user after"
            })
    void a_limit_stands_whole_or_the_answer_says_that_it_does_not(final String trap) throws Exception {
        final Result answer = crashIn(trap, Issuer.QUOTA, new Action.SetLimit(lab.owner(), 4));

        assertThat(answer)
                .isInstanceOf(
                        trap.equals("sacctmgr --immediate modify user after")
                                ? Result.Done.class
                                : Result.Failed.class);
        assertThat(slurm.isLimitSet(lab.owner(), 4).get()).isEqualTo(answer instanceof Result.Done);
        deciders.does(Issuer.QUOTA, new Action.SetLimit(lab.owner(), 4));
        assertThat(slurm.isLimitSet(lab.owner(), 4).get()).isTrue();
        slurm.setLimit(lab.owner(), null).get();
    }

    // ---- without a crash: quota-service at the other end of the log

    /** the user's own QoS and the common one, as quota-service says; Slurm itself makes room. */
    @Test
    void two_users_share_slurm_by_its_own_means_as_quota_service_tells_it() {
        slurm.control(Control.NATIVE).get();
        quota(ALICE, 8);
        quota(BOB, 8);
        try (DecidingLoop quotas = quotaService(PreemptModePolicy.DEFAULT)) {
            deciders.await("the limits", () -> slurm.limits().get().equals(Map.of(ALICE, 8, BOB, 8)));
            final String own = lab.sleeper(ALICE, "--ntasks=8");
            lab.await(own, job -> job.state() instanceof JobState.Running);
            final String lent = lab.sleeper(ALICE, "--ntasks=8");
            lab.await(lent, job -> job.state() instanceof JobState.Running);

            final String bobs = lab.sleeper(BOB, "--ntasks=8");
            lab.await(bobs, job -> job.state() instanceof JobState.Running);
            lab.await(lent, job -> job.state().isWaiting() && job.restarts() == 1);
            lab.await(own, job -> job.state() instanceof JobState.Running && job.restarts() == 0);
        } finally {
            slurm.setLimit(ALICE, null).get();
            slurm.setLimit(BOB, null).get();
            slurm.control(Control.DIRECTED).get();
        }
    }

    /** */
    @Test
    void a_borrowed_job_is_suspended_for_one_within_quota_and_goes_on_behind_it() {
        quota(BOB, 8);
        try (DecidingLoop quotas = quotaService(new PreemptModePolicy(List.of(Mode.SUSPEND, Mode.REQUEUE), Duration.ZERO))) {
            final String lent = lab.sleeper(ALICE, "--ntasks=16");
            deciders.does(Issuer.BACKFILL, new Action.Start(key(lent)));
            lab.await(lent, job -> job.state() instanceof JobState.Running);

            final String bobs = lab.sleeper(BOB, "--ntasks=8");
            lab.await(bobs, job -> job.state() instanceof JobState.Running);
            lab.await(lent, job -> job.state() instanceof JobState.Suspended);
            slurm.cancel(key(bobs)).get();
            lab.await(lent, job -> job.state() instanceof JobState.Running && job.restarts() == 0);
        }
    }

    private void quota(final UserName user, final int cores) {
        deciders.put(new Quota(user, deciders.cluster, cores, UserName.of("op"), "for the test", Instant.now(), 1));
    }

    private DecidingLoop quotaService(final PreemptModePolicy modes) {
        final LoopSettings settings = LoopSettings.of(
                        Stack.kafka().bootstrapServers(),
                        "quota-service-" + deciders.cluster,
                        Topic.CLUSTER_STATE,
                        Topic.COMMANDS,
                        Topic.OUTCOMES,
                        Topic.ENTITLEMENTS,
                        Topic.PLANS)
                .withContext(Topic.QUOTAS, Topic.USAGE);
        final DecidingLoop loop = new DecidingLoop(
                settings,
                partition ->
                        new ClusterDecider(new EnforceQuotas(QuotaPolicy.DEFAULT.with(modes), 0, BudgetRules.NONE)),
                Clock.systemUTC());
        loop.start();
        return loop;
    }

    private JobKey key(final String local) {
        return slurm.observe().get().jobs().stream()
                .map(JobObserved::job)
                .filter(job -> job.id().local().equals(local))
                .findFirst()
                .orElseThrow();
    }

    // ---- the crash

    /** Orders it, sees the agent die at the trap, gives it another life, and returns its one answer. */
    private Result crashIn(final String trap, final Issuer issuer, final Action action) throws Exception {
        Files.writeString(home.resolve("trap"), trap);
        final CommandId command = deciders.order(issuer, action);
        assertThat(agent.waitFor(60, TimeUnit.SECONDS))
                .as("the agent dies at '" + trap + "'")
                .isTrue();
        assertThat(agent.exitValue()).isEqualTo(137);
        deciders.hear();
        assertThat(deciders.answers(command)).isEmpty();
        final List<String> before = journal();

        agent = agent();
        final Result answer = deciders.answer(command);
        deciders.hear();
        assertThat(deciders.begun(command)).isEqualTo(1);
        assertThat(deciders.answers(command)).hasSize(1);
        assertThat(journal()).as("orders given by the life after the crash").isEqualTo(before);
        return answer;
    }

    private Process agent() throws IOException {
        final String surefires = System.getProperty("surefire.test.class.path");
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-cp",
                        surefires == null ? System.getProperty("java.class.path") : surefires,
                        SlurmCrashingAgent.class.getName(),
                        Stack.kafka().bootstrapServers(),
                        deciders.cluster.value(),
                        lab.site().conf().toString(),
                        home.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolve("agent.log").toFile()))
                .start();
    }

    private List<String> journal() throws IOException {
        final Path journal = home.resolve("journal");
        return Files.exists(journal) ? Files.readAllLines(journal) : List.of();
    }

    // ---- scenes

    private Action.Submit submit(final AttemptId attempt) {
        final JobSpec spec = Deciders.spec(COUNTING, 1);
        return new Action.Submit(attempt, lab.owner(), spec, directory.toString(), "");
    }

    private JobKey released() {
        final JobKey job =
                deciders.does(Issuer.MIGRATION, submit(deciders.attempt())).job();
        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        return job;
    }

    private JobKey running() {
        final JobKey job = released();
        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        deciders.awaitState(job, JobState.Running.class);
        deciders.await("the script to begin", () -> runs() == 1);
        return job;
    }

    private JobObserved observed(final JobKey job) {
        return slurm.observe().get().jobs().stream()
                .filter(seen -> seen.job().equals(job))
                .findFirst()
                .orElseThrow();
    }

    private int runs() {
        final Path runs = directory.resolve("runs");
        try {
            return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
