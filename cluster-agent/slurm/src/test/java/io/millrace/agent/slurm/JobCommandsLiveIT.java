package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Commands about arrays, heterogeneous jobs, walltimes, requeue codes and operators' holds, and next to a site's own submit plugin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class JobCommandsLiveIT {

    private static final UserName ALICE = UserName.of("mr-alice");
    private static final UserName BOB = UserName.of("mr-bob");
    private static final JobState ENTRY_HOLD = new JobState.Held(HoldKind.ENTRY);

    private SlurmLab lab;
    private WorkloadManager slurm;

    @BeforeAll
    void open() throws IOException {
        lab = SlurmLab.openWithAccounting();
        slurm = lab.wlm();
        lab.directory();
        Files.writeString(lab.site().conf(), "RequeueExit=75\nRequeueExitHold=76\n", StandardOpenOption.APPEND);
        lab.asRoot("scontrol", "reconfigure").get();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @AfterEach
    void empty_the_queue() {
        slurm.get(ControlSwitching.class).control(Control.DIRECTED).get();
        lab.asRoot("scancel", "--user=" + ALICE).get();
        lab.until("an empty queue", () -> slurm.observe().get().jobs().isEmpty());
    }

    // ---- arrays

    @Test
    void the_start_of_a_pending_array_releases_only_its_next_task() {
        final String id = lab.sleeper(ALICE, "--array=3,5,10-90:4%2");
        final JobKey array = lab.key(id);

        assertThat(slurm.get(Starting.class).start(array).get().detail()).contains(id + "_3");
        lab.await(id + "_3", running());
        assertThat(slurm.get(Starting.class).start(array).get().detail()).contains(id + "_5");
        lab.await(id + "_5", running());
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);
        assertThat(slurm.observe().get().jobs()).hasSize(3);
    }

    @Test
    void commands_about_one_task_do_not_affect_the_pending_tasks_and_vice_versa() {
        final String id = lab.sleeper(ALICE, "--array=1-9");
        final JobKey rest = lab.key(id);
        slurm.get(Starting.class).start(rest).get();
        lab.await(id + "_1", running());
        final JobKey task = lab.key(id + "_1");

        slurm.get(Altering.class).setWalltime(rest, Duration.ofMinutes(7)).get();
        assertThat(lab.observed(id).walltime()).isEqualTo(Duration.ofMinutes(7));
        assertThat(lab.observed(id + "_1").walltime()).isEqualTo(Duration.ofMinutes(10));
        slurm.get(Suspending.class).suspend(task).get();
        lab.await(id + "_1", job -> job.state() instanceof JobState.Suspended);
        slurm.get(Suspending.class).resume(task).get();
        lab.await(id + "_1", running());
        assertWrongState(slurm.get(Suspending.class).suspend(rest), id);

        slurm.get(Requeueing.class).requeue(task).get();
        lab.await(id + "_1", job -> job.state().equals(ENTRY_HOLD) && job.restarts() == 1);
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);
        slurm.get(Starting.class).start(task).get();
        lab.await(id + "_1", running());

        slurm.cancel(task).get();
        lab.until("the end of the task", () -> queue().equals(List.of(id)));
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);
    }

    @Test
    void an_array_continues_without_a_task_that_its_owner_holds() {
        final String id = lab.sleeper(ALICE, "--array=1-3");
        lab.key(id);
        lab.asOwner("scontrol", "hold", id + "_1").get();
        lab.await(id + "_1", job -> job.state().equals(new JobState.Held(HoldKind.USER)));

        assertThat(slurm.get(Starting.class).start(lab.key(id)).get().detail()).contains(id + "_2");
        lab.await(id + "_2", running());
        assertWrongState(slurm.get(Starting.class).start(lab.key(id + "_1")), id + "_1");
    }

    @Test
    void an_array_without_pending_tasks_is_cancelled_as_a_whole() {
        final String id = lab.sleeper(ALICE, "--array=1-2");
        final JobKey array = lab.key(id);
        slurm.get(Starting.class).start(array).get();
        lab.await(id + "_1", running());
        slurm.get(Starting.class).start(lab.lastTask(array, 2)).get();
        lab.until(
                "the last task",
                () -> lab.observedIfThere(id + "_2").filter(running()).isPresent());

        slurm.cancel(array).get();
        lab.until("the end of all tasks", () -> queue().isEmpty());
    }

    @Test
    void native_control_releases_a_whole_array() {
        final String id = lab.sleeper(ALICE, "--array=1-3");
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);

        slurm.get(ControlSwitching.class).control(Control.NATIVE).get();
        for (final String task : List.of("_1", "_2", "_3")) {
            lab.until(
                    task,
                    () -> lab.observedIfThere(id + task)
                            .filter(job -> job.state() instanceof JobState.Running)
                            .isPresent());
        }
    }

    // ---- heterogeneous jobs

    @Test
    void the_components_of_a_heterogeneous_job_start_together() {
        final String id = lab.sleeper(ALICE, "--ntasks=1", ":", "--ntasks=2");
        final JobKey whole = lab.key(id);
        assertThat(lab.observed(id).resources().cores()).isEqualTo(3);

        slurm.get(Starting.class).start(whole).get();
        lab.await(id, running());
        slurm.get(Requeueing.class).requeue(whole).get();
        lab.await(id, job -> job.state().equals(ENTRY_HOLD));
        slurm.cancel(whole).get();
        lab.until("the end of both components", () -> queue().isEmpty());
    }

    // ---- sentences for users

    @Test
    void a_job_shows_why_millrace_requeued_and_held_it_and_keeps_its_comment() {
        final String id = lab.sleeper(ALICE, "--comment=mine");
        slurm.get(Starting.class).start(lab.key(id)).get();
        lab.await(id, running());
        slurm.get(Requeueing.class)
                .requeue(
                        lab.key(id),
                        new UserSentence("Millrace requeued this job: bob's job is within quota (8 of 8 cores)"))
                .get();
        lab.await(id, job -> job.state().equals(ENTRY_HOLD) && job.restarts() == 1);
        assertThat(shown(id))
                .contains("Comment=mine")
                .containsPattern(
                        "AdminComment=.*\\[Millrace requeued this job: bobs job is within quota \\(8 of 8 cores\\)\\]"
                                + " millrace:entry@\\d+");

        slurm.get(Starting.class).start(lab.key(id)).get();
        lab.await(id, running());
        slurm.get(Requeueing.class).requeue(lab.key(id)).get();
        lab.await(id, job -> job.state().equals(ENTRY_HOLD) && job.restarts() == 2);
        slurm.get(Holding.class)
                .hold(
                        lab.key(id),
                        HoldKind.SUBMISSION,
                        new UserSentence("Millrace held this job: its owner asked for it"))
                .get();
        assertThat(lab.observed(id).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(shown(id))
                .containsPattern(
                        "AdminComment=.*\\[Millrace held this job: its owner asked for it\\] millrace:submission@\\d+");
        slurm.cancel(lab.key(id)).get();
        lab.until("the end of the job", () -> queue().isEmpty());
    }

    private String shown(final String id) {
        return lab.asOwner("scontrol", "show", "job", id).get();
    }

    // ---- other partitions

    @Test
    void a_job_that_another_partition_refuses_or_would_never_start_stays_in_its_partition() {
        lab.asRoot("scontrol", "create", "PartitionName=closed", "Nodes=n1", "DenyAccounts=lab")
                .get();
        final String id = lab.sleeper(ALICE, "--time=60");
        final JobKey job = lab.key(id);
        for (final String refusing : List.of("fast", "closed", "nowhere")) {
            assertThat(slurm.get(Moving.class).start(job, PartitionName.of(refusing)))
                    .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                        assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                        assertThat(trouble.reason()).contains(refusing, "main");
                    });
            assertThat(lab.observed(id).partition()).as(refusing).isEqualTo(PartitionName.of("main"));
            assertThat(lab.observed(id).state()).as(refusing).isEqualTo(ENTRY_HOLD);
        }
        slurm.get(Moving.class).start(job, PartitionName.of("main")).get();
        lab.await(id, running());
    }

    @Test
    void only_the_next_task_of_an_array_starts_in_another_partition_and_the_rest_gets_a_partition_list() {
        final PartitionName main = PartitionName.of("main");
        final PartitionName fast = PartitionName.of("fast");
        final String id = lab.sleeper(ALICE, "--array=3,5,10-12%2");
        final JobKey array = lab.key(id);

        slurm.get(Moving.class).start(array, fast).get();
        assertThat(lab.await(id + "_3", running()).partition()).isEqualTo(fast);
        assertThat(lab.observed(id).partition()).isEqualTo(main);

        slurm.get(PartitionChoosing.class)
                .setPartitions(array, List.of(fast, main))
                .get();
        assertThat(lab.observed(id).detail().partitions()).containsExactly(fast, main);
        assertThat(lab.observed(id).detail().array())
                .isNotNull()
                .satisfies(tasks -> assertThat(tasks.indices()).isEqualTo("5,10-12"));
        assertThat(queue()).hasSize(2);
    }

    @Test
    void a_heterogeneous_job_starts_in_another_partition_as_a_whole() {
        final String id = lab.sleeper(ALICE, "--ntasks=1", ":", "--ntasks=2");
        slurm.get(Moving.class).start(lab.key(id), PartitionName.of("fast")).get();
        lab.await(id, running());
        assertThat(lab.asRoot("squeue", "--noheader", "--format=%P").get().lines())
                .hasSize(2)
                .containsOnly("fast");
    }

    // ---- walltime

    @Test
    void a_walltime_that_would_prevent_the_start_of_a_job_is_refused() {
        final String id = lab.sleeper(ALICE, "--ntasks=1");
        final JobKey job = lab.key(id);

        assertThat(slurm.get(Altering.class).setWalltime(job, Duration.ofDays(8)))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.reason()).contains("partition main", "MaxTime");
                });
        for (final Duration invalid : List.of(Duration.ZERO, Duration.ofMinutes(-3), Duration.ofDays(30_000_000))) {
            assertThat(slurm.get(Altering.class).setWalltime(job, invalid))
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED));
        }
        slurm.get(Altering.class).setWalltime(job, Duration.ofSeconds(61)).get();
        assertThat(lab.observed(id).walltime()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void the_agent_raises_the_walltime_of_a_running_job_and_its_owner_cannot() {
        final String id = lab.sleeper(ALICE, "--ntasks=1");
        slurm.get(Starting.class).start(lab.key(id)).get();
        lab.await(id, running());

        assertThat(lab.asOwner("scontrol", "update", "JobId=" + id, "TimeLimit=30"))
                .isInstanceOf(Answer.Trouble.class);
        lab.asOwner("scontrol", "update", "JobId=" + id, "TimeLimit=5").get();
        slurm.get(Altering.class).setWalltime(lab.key(id), Duration.ofDays(9)).get();
        assertThat(lab.observed(id).walltime()).isEqualTo(Duration.ofDays(9));
        lab.asRoot("scontrol", "update", "JobId=" + id, "TimeLimit=UNLIMITED").get();
        assertThat(lab.observed(id).walltime()).isNull();
        slurm.get(Altering.class)
                .setWalltime(lab.key(id), Duration.ofMinutes(4))
                .get();
        assertThat(lab.observed(id).walltime()).isEqualTo(Duration.ofMinutes(4));
    }

    // ---- exits that are requeues

    @Test
    void a_job_that_exits_with_a_requeue_code_of_the_site_gets_the_entry_hold() {
        final String again = exits(75);
        final String held = exits(76);
        final String over = exits(77);
        for (final String id : List.of(again, held, over)) {
            slurm.get(Starting.class).start(lab.key(id)).get();
        }
        lab.await(again, job -> job.state().equals(ENTRY_HOLD) && job.restarts() == 1);
        lab.await(held, job -> job.state().equals(new JobState.Held(HoldKind.USER)) && job.restarts() == 1);
        lab.until("the end of the other job", () -> !queue().contains(over));

        // A job that exited with a RequeueExitHold code is held for its owner, unless Millrace had requested a
        // checkpoint.
        final JobKey parked = lab.key(held);
        assertWrongState(slurm.get(Starting.class).start(parked), "held by its owner");
        slurm.get(Requeueing.class).requeueHeld(parked).get();
        assertThat(lab.observed(held).state()).isEqualTo(ENTRY_HOLD);
        slurm.get(Altering.class).setWalltime(parked, Duration.ofMinutes(3)).get();
        slurm.get(Starting.class).start(parked).get();
        lab.await(held, job -> job.restarts() == 2);
    }

    @Test
    void a_job_that_held_itself_gets_the_entry_hold_when_its_owner_releases_it() {
        final String id = exits(76);
        slurm.get(Starting.class).start(lab.key(id)).get();
        lab.await(id, job -> job.state().equals(new JobState.Held(HoldKind.USER)));

        lab.asOwner("scontrol", "release", id).get();
        lab.await(id, job -> job.state().equals(ENTRY_HOLD));
    }

    // ---- commands of owners and operators

    @Test
    void a_job_submitted_with_hold_gets_the_entry_hold_when_its_owner_releases_it() {
        final String id = lab.sleeper(ALICE, "--hold");
        assertThat(lab.observed(id).state()).isEqualTo(new JobState.Held(HoldKind.USER));
        assertWrongState(slurm.get(Starting.class).start(lab.key(id)), id);

        lab.asOwner("scontrol", "release", id).get();
        lab.await(id, job -> job.state().equals(ENTRY_HOLD));
        slurm.get(Starting.class).start(lab.key(id)).get();
        lab.await(id, running());
    }

    @Test
    void no_command_of_an_owner_releases_the_entry_hold() {
        final String id = lab.sleeper(ALICE, "--ntasks=1");
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);

        for (final String change : List.of(
                "Priority=4294967295",
                "Priority=1",
                "AdminComment=millrace:start=0@1",
                "Nice=-100",
                "StartTime=now",
                "EligibleTime=now",
                "QOS=normal",
                "TimeLimit=1",
                "Comment=millrace:start=0@1",
                "Partition=main",
                "Dependency=")) {
            lab.asOwner("scontrol", "update", "JobId=" + id, change);
            assertThat(lab.observed(id).state()).as(change).isEqualTo(ENTRY_HOLD);
        }
        for (final String verb : List.of("top", "release", "requeue", "resume")) {
            lab.asOwner("scontrol", verb, id);
            assertThat(lab.observed(id).state()).as(verb).isEqualTo(ENTRY_HOLD);
        }
        slurm.get(Starting.class).start(lab.key(id)).get();
        lab.await(id, running());
    }

    @Test
    void an_operator_without_admin_level_administrator_holds_and_releases_jobs() {
        lab.asRoot("sacctmgr", "-i", "modify", "user", "where", "name=" + BOB, "set", "adminlevel=Operator")
                .get();
        try {
            final String id = lab.sleeper(ALICE, "--ntasks=1");
            final JobKey job = lab.key(id);
            lab.until("slurmctld to know its operator", () -> lab.as(BOB, "scontrol", "hold", id) instanceof Answer.Ok);
            assertThat(lab.observed(id).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
            assertWrongState(slurm.get(Starting.class).start(job), "held by an operator");
            assertWrongState(slurm.get(Holding.class).release(job, HoldKind.ENTRY), "by an operator");

            assertThat(lab.as(BOB, "scontrol", "release", id)).isInstanceOf(Answer.Ok.class);
            lab.await(id, running());
        } finally {
            lab.asRoot("sacctmgr", "-i", "modify", "user", "where", "name=" + BOB, "set", "adminlevel=None")
                    .get();
        }
    }

    @Test
    void a_sites_own_submit_plugin_is_kept_and_decides_first() throws IOException {
        final Path script = lab.site().conf().resolveSibling("job_submit.lua");
        final Path gate = lab.site().conf().resolveSibling("millrace_gate.lua");
        Files.copy(script, gate);
        Files.writeString(script, """
            function slurm_job_submit(job, partitions, uid)
                if job.name == "forbidden" then
                    slurm.log_user("the site forbids this name")
                    return slurm.ERROR
                end
                job.admin_comment = "budget=7"
                return slurm.SUCCESS
            end
            function slurm_job_modify(job, record, partitions, uid)
                if job.comment == "forbidden" then
                    return slurm.ERROR
                end
                return slurm.SUCCESS
            end
            dofile("%s")
            return slurm.SUCCESS
            """.formatted(gate));
        try {
            lab.until("slurmctld to read it", () -> refusesTheName());
            final String id = lab.sleeper(ALICE, "--ntasks=1");
            assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);
            assertThat(lab.asRoot("squeue", "--noheader", "--jobs=" + id, "--Format=admin_comment:0")
                            .get())
                    .contains("budget=7", "millrace:entry@");
            assertThat(lab.asOwner("scontrol", "update", "JobId=" + id, "Comment=forbidden"))
                    .isInstanceOf(Answer.Trouble.class);
            assertThat(lab.asOwner("scontrol", "release", id)).isInstanceOf(Answer.Trouble.class);
            slurm.get(Starting.class).start(lab.key(id)).get();
            lab.await(id, running());
            assertThat(lab.asRoot("squeue", "--noheader", "--jobs=" + id, "--Format=admin_comment:0")
                            .get())
                    .contains("budget=7", "millrace:start=0@");
        } finally {
            Files.move(gate, script, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private boolean refusesTheName() {
        return lab.asOwner("sbatch", "--job-name=forbidden", "--hold", "--wrap=true")
                        instanceof Answer.Trouble<String> refused
                && refused.reason().contains("the site forbids this name");
    }

    // ---- helpers

    private String exits(final int code) {
        return lab.script(ALICE, "#!/bin/sh\nexit " + code + "\n", List.of("--ntasks=1"));
    }

    private List<String> queue() {
        return slurm.observe().get().jobs().stream()
                .map(job -> job.job().id().local())
                .toList();
    }

    private static java.util.function.Predicate<JobObserved> running() {
        return job -> job.state() instanceof JobState.Running;
    }

    private static void assertWrongState(final Answer<?> answer, final String named) {
        assertThat(answer).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
            assertThat(trouble.kind()).as(trouble.reason()).isEqualTo(Answer.Kind.WRONG_STATE);
            assertThat(trouble.reason()).contains(named);
        });
    }
}
