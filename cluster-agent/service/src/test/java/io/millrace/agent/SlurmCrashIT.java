package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.slurm.SlurmLab;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopSettings;
import io.millrace.model.AttemptId;
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
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Quota;
import io.millrace.quota.EnforceQuotas;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.kafka.ClusterDecider;
import io.millrace.testing.Sample;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The crash contract on real Slurm, where the agent is killed before, during or after one of its commands to Slurm. It also covers
 * quota-service with a running agent, which needs the same lab.
 */
@Tag("slurm")
class SlurmCrashIT extends CrashContract {

    private static final UserName ALICE = UserName.of("mr-alice");
    private static final UserName BOB = UserName.of("mr-bob");

    private SlurmLab lab;
    private WorkloadManager slurm;

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

    @Override
    Stream<Trap> submits() {
        return Sample.of(
                "SlurmCrashIT.submits",
                Trap.before("sbatch before"),
                Trap.during("sbatch during"),
                Trap.after("sbatch after"));
    }

    /** A start consists of an update and a release. */
    @Override
    Stream<Trap> starts() {
        return Sample.of(
                "SlurmCrashIT.starts",
                Trap.before("scontrol update before"),
                Trap.during("scontrol update after"),
                Trap.during("scontrol release before"),
                Trap.during("scontrol release during"),
                Trap.after("scontrol release after"));
    }

    Stream<Trap> startsElsewhere() {
        return Sample.of(
                "SlurmCrashIT.startsElsewhere",
                Trap.before("scontrol update after"),
                Trap.after("scontrol release after"));
    }

    @Override
    Stream<Trap> requeues() {
        return Sample.of(
                "SlurmCrashIT.requeues",
                Trap.during("scontrol requeuehold before"),
                Trap.during("scontrol requeuehold during"),
                Trap.during("scontrol requeuehold after"));
    }

    @Override
    Stream<Trap> cancels() {
        return Sample.of(
                "SlurmCrashIT.cancels",
                Trap.during("scancel before"),
                Trap.during("scancel during"),
                Trap.during("scancel after"));
    }

    @Override
    Stream<Trap> walltimes() {
        return Sample.of(
                "SlurmCrashIT.walltimes", Trap.before("scontrol update before"), Trap.after("scontrol update after"));
    }

    Stream<Trap> entitlementLevels() {
        return Sample.of(
                "SlurmCrashIT.entitlementLevels",
                Trap.before("scontrol update before"),
                Trap.before("scontrol update after"));
    }

    Stream<Trap> limits() {
        return Sample.of(
                "SlurmCrashIT.limits",
                Trap.before("sacctmgr --immediate add qos before"),
                Trap.before("sacctmgr --immediate add qos after"),
                Trap.before("sacctmgr --immediate modify user before"),
                Trap.after("sacctmgr --immediate modify user after"));
    }

    @Override
    Path newDirectory() {
        slurm = lab.wlm(deciders.cluster);
        return lab.directory();
    }

    @Override
    List<String> agentCommand() {
        return List.of(
                SlurmCrashingAgent.class.getName(),
                Stack.kafka().bootstrapServers(),
                deciders.cluster.value(),
                lab.site().conf().toString(),
                home.toString());
    }

    @Override
    Action.Submit submit(final AttemptId attempt) {
        return new Action.Submit(attempt, lab.owner(), FakeDeciders.spec(COUNTING, 1), directory.toString(), "");
    }

    @Override
    List<JobObserved> queue() {
        return slurm.observe().get().jobs();
    }

    @Override
    void cancelAll() {
        queue().forEach(job -> slurm.cancel(job.job()));
    }

    @Override
    List<String> journal() {
        final Path journal = home.resolve("journal");
        try {
            return Files.exists(journal) ? Files.readAllLines(journal) : List.of();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("startsElsewhere")
    void a_start_in_another_partition_runs_there_once_or_leaves_the_job_held(final Trap trap) throws Exception {
        final PartitionName other = lab.otherPartition();
        final JobKey job = released();
        final Result answer = crashAt(trap, Issuer.BACKFILL, new Action.Start(job, other));

        assertThat(observed(job).partition()).isEqualTo(other);
        if (answer instanceof Result.Failed) {
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Result.Failed.class,
                            failed -> assertThat(failed.reason()).contains("pending in partition fast"));
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
    @MethodSource("starts")
    void a_start_of_tasks_runs_each_of_them_once_or_none(final Trap trap) throws Exception {
        final JobKey array = array("1-6");
        final Result answer = crashAt(trap, Issuer.BACKFILL, Action.Start.tasks(array, "2-4"));

        if (answer instanceof Result.Done done) {
            assertThat(done.tasks()).isEqualTo("2-4");
            deciders.await("tasks 2 to 4 to run", () -> runsByTask().equals(Map.of("2", 1, "3", 1, "4", 1)));
        } else {
            assertThat(runsByTask()).isEmpty();
        }
        assertThat(queue().stream()
                        .filter(job -> job.state() instanceof JobState.Held)
                        .mapToInt(JobObserved::tasks)
                        .sum())
                .isEqualTo(answer instanceof Result.Done ? 3 : 6);
    }

    @Test
    void sixteen_tasks_start_by_one_command_and_the_next_revision_shows_them() {
        final JobKey array = array("1-20");
        final int before = journal().size();

        final Result.Done done = deciders.does(Issuer.BACKFILL, Action.Start.tasks(array, "1-16"));
        assertThat(done.tasks()).isEqualTo("1-16");
        assertThat(journal()).as("one update, one release").hasSize(before + 2);
        deciders.await("16 tasks to run", () -> runsByTask().size() == 16);
        deciders.await(
                "a revision that includes the start",
                () -> deciders.view.jobs().stream()
                                .filter(job -> job.state() instanceof JobState.Running)
                                .count()
                        == 16);
        assertThat(deciders.view.job(array).detail().array().indices()).isEqualTo("17-20");
        assertThat(runsByTask().values()).containsOnly(1);
    }

    /** The owner submits an array that counts the runs of each task. */
    private JobKey array(final String indices) {
        lab.userSubmitsArray("many", "#!/bin/sh\necho run >>runs.$SLURM_ARRAY_TASK_ID\nexec sleep 600\n", indices);
        final JobKey array = queue().stream()
                .filter(job -> job.detail().array() != null)
                .findFirst()
                .orElseThrow()
                .job();
        deciders.await("the array", () -> deciders.view.job(array) != null);
        return array;
    }

    private Map<String, Integer> runsByTask() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toFile)
                    .filter(file -> file.getName().startsWith("runs."))
                    .collect(Collectors.toMap(
                            file -> file.getName().substring("runs.".length()),
                            file -> (int) file.length() / "run\n".length()));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("entitlementLevels")
    void a_job_changes_its_level_once_and_a_repeated_command_has_no_further_effect(final Trap trap) throws Exception {
        slurm.get(Limiting.class).setLimit(lab.owner(), 4).get();
        final JobKey job = released();
        final Result answer = crashAt(trap, Issuer.QUOTA, new Action.SetTier(job, Tier.BORROWED));

        assertThat(answer).isInstanceOf(Result.Failed.class);
        final List<String> orders = journal();
        deciders.does(Issuer.QUOTA, new Action.SetTier(job, Tier.BORROWED));
        assertThat(journal()).hasSize(orders.size() + (trap.place().endsWith("after") ? 0 : 1));
        assertThat(runs()).isZero();
        slurm.get(Limiting.class).setLimit(lab.owner(), null).get();
    }

    /** The steps of a first limit: the shared QoS, the user's QoS, the user's access to both. */
    @ParameterizedTest
    @MethodSource("limits")
    void a_limit_is_set_completely_or_the_answer_is_failed(final Trap trap) throws Exception {
        final Result answer = crashAt(trap, Issuer.QUOTA, new Action.SetLimit(lab.owner(), 4));

        assertThat(slurm.get(Limiting.class).isLimitSet(lab.owner(), 4).get()).isEqualTo(answer instanceof Result.Done);
        deciders.does(Issuer.QUOTA, new Action.SetLimit(lab.owner(), 4));
        assertThat(slurm.get(Limiting.class).isLimitSet(lab.owner(), 4).get()).isTrue();
        slurm.get(Limiting.class).setLimit(lab.owner(), null).get();
    }

    // ---- without a crash: quota-service issues the commands

    /** quota-service sets the users' QoS and the shared QoS; Slurm preempts. */
    @Test
    void slurm_preempts_by_the_qos_that_quota_service_sets() {
        slurm.get(ControlSwitching.class).control(Control.NATIVE).get();
        quota(ALICE, 8);
        quota(BOB, 8);
        try (DecidingLoop quotas = quotaService(PreemptModePolicy.DEFAULT)) {
            deciders.await(
                    "the limits", () -> slurm.get(Limiting.class).limits().get().equals(Map.of(ALICE, 8, BOB, 8)));
            final String own = lab.sleeper(ALICE, "--ntasks=8");
            lab.await(own, job -> job.state() instanceof JobState.Running);
            final String lent = lab.sleeper(ALICE, "--ntasks=8");
            lab.await(lent, job -> job.state() instanceof JobState.Running);

            final String bobs = lab.sleeper(BOB, "--ntasks=8");
            lab.await(bobs, job -> job.state() instanceof JobState.Running);
            lab.await(lent, job -> job.state().isWaiting() && job.restarts() == 1);
            lab.await(own, job -> job.state() instanceof JobState.Running && job.restarts() == 0);
        } finally {
            slurm.get(Limiting.class).setLimit(ALICE, null).get();
            slurm.get(Limiting.class).setLimit(BOB, null).get();
            slurm.get(ControlSwitching.class).control(Control.DIRECTED).get();
        }
    }

    /** */
    @Test
    void a_borrowed_job_is_suspended_for_one_within_quota_and_resumes_after_it() {
        quota(BOB, 8);
        try (DecidingLoop quotas =
                quotaService(new PreemptModePolicy(List.of(Mode.SUSPEND, Mode.REQUEUE), Duration.ZERO))) {
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
                        Service.QUOTA,
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
}
