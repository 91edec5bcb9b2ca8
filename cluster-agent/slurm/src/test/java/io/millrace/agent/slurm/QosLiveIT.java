package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The user processor quota preemption policy of paper 1 (1.2.3), enforced by Slurm with one QoS per user and a common one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class QosLiveIT {

    private static final UserName ALICE = UserName.of("mr-alice");
    private static final UserName BOB = UserName.of("mr-bob");

    private SlurmLab lab;
    private WorkloadManager slurm;

    @BeforeAll
    void open() {
        lab = SlurmLab.openWithAccounting();
        slurm = lab.wlm();
        lab.directory();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @AfterEach
    void empty_the_queue() {
        slurm.observe().get().jobs().forEach(job -> slurm.cancel(job.job()));
        slurm.get(ControlSwitching.class).control(Control.DIRECTED).get();
    }

    @Test
    void a_user_below_quota_preempts_the_jobs_of_another_user_beyond_quota() {
        slurm.get(ControlSwitching.class).control(Control.NATIVE).get();
        slurm.get(Limiting.class).setLimit(ALICE, 4).get();
        slurm.get(Limiting.class).setLimit(BOB, 8).get();

        // Alice's quota is 4 of 16 cores. A job beyond it stays pending, although cores are idle, until it becomes
        // borrowed.
        final String within = lab.sleeper(ALICE, "--ntasks=4");
        final String beyond = lab.sleeper(ALICE, "--ntasks=12");
        lab.await(within, job -> job.state() instanceof JobState.Running);
        lab.await(beyond, job -> String.valueOf(job.reason()).equals("QOSGrpCpuLimit"));
        slurm.get(Tiering.class).setTier(lab.key(beyond), Tier.BORROWED).get();
        lab.await(beyond, job -> job.state() instanceof JobState.Running);

        // Bob is below his quota. Slurm preempts at once, and only the borrowed job.
        final String bobs = lab.sleeper(BOB, "--ntasks=8");
        lab.await(bobs, job -> job.state() instanceof JobState.Running);
        assertThat(lab.observed(within).state()).isInstanceOf(JobState.Running.class);
        lab.await(beyond, job -> job.state() instanceof JobState.Queued && job.restarts() == 1);

        // After Bob's job, the job becomes guaranteed again.
        slurm.cancel(lab.key(bobs)).get();
        slurm.get(Tiering.class).setTier(lab.key(beyond), Tier.GUARANTEED).get();
        lab.await(
                beyond,
                job -> String.valueOf(job.reason()).startsWith("QOSGrp")
                        || String.valueOf(job.reason()).equals("BeginTime"));
    }

    @Test
    void a_job_that_slurm_preempts_on_a_directed_cluster_gets_the_entry_hold_again() {
        slurm.get(Limiting.class).setLimit(ALICE, 0).get();
        slurm.get(Limiting.class).setLimit(BOB, 16).get();
        final String borrowed = lab.sleeper(ALICE, "--ntasks=16");
        slurm.get(Tiering.class).setTier(lab.key(borrowed), Tier.BORROWED).get();
        slurm.get(Starting.class).start(lab.key(borrowed)).get();
        lab.await(borrowed, job -> job.state() instanceof JobState.Running);

        final String guaranteed = lab.sleeper(BOB, "--ntasks=4");
        slurm.get(Starting.class).start(lab.key(guaranteed)).get();
        lab.await(guaranteed, job -> job.state() instanceof JobState.Running);
        lab.await(borrowed, job -> job.state().equals(new JobState.Held(HoldKind.ENTRY)));
        assertThat(lab.observed(borrowed).restarts()).isEqualTo(1);
    }

    @Test
    void the_tiers_of_several_jobs_are_set_together_and_each_job_gets_its_own_answer() {
        slurm.get(Limiting.class).setLimit(ALICE, 8).get();
        slurm.get(Limiting.class).setLimit(BOB, 8).get();
        final JobKey one = lab.key(lab.sleeper(ALICE, "--ntasks=1"));
        final JobKey two = lab.key(lab.sleeper(BOB, "--ntasks=1"));
        final JobKey array = lab.key(lab.sleeper(BOB, "--array=1-3"));
        final JobKey notRequeued = lab.key(lab.sleeper(ALICE, "--ntasks=1", "--no-requeue"));
        final JobKey gone = lab.key(lab.sleeper(ALICE, "--ntasks=1"));
        slurm.cancel(gone).get();
        final Map<JobKey, Tier> borrowed = new LinkedHashMap<>();
        List.of(one, two, array, notRequeued, gone).forEach(job -> borrowed.put(job, Tier.BORROWED));

        final Map<JobKey, Answer<Accepted>> answers = slurm.get(Tiering.class).setTiers(borrowed);

        assertThat(List.of(one, two, array)).allSatisfy(job -> {
            assertThat(answers.get(job)).isInstanceOf(Answer.Ok.class);
            assertThat(qosOf(job)).isEqualTo("mr.alpha");
        });
        assertThat(List.of(notRequeued, gone))
                .allSatisfy(job -> assertThat(answers.get(job)).isInstanceOf(Answer.Trouble.class));
        assertThat(slurm.get(Tiering.class)
                        .setTiers(Map.of(one, Tier.GUARANTEED, two, Tier.GUARANTEED))
                        .values())
                .allSatisfy(answer -> assertThat(answer).isInstanceOf(Answer.Ok.class));
        assertThat(qosOf(one)).isEqualTo("mr.alpha.mr-alice");
        assertThat(qosOf(two)).isEqualTo("mr.alpha.mr-bob");
    }

    @Test
    void only_pending_jobs_change_their_tier() {
        slurm.get(Limiting.class).setLimit(ALICE, 8).get();
        final JobKey job = lab.key(lab.sleeper(ALICE, "--ntasks=1"));
        slurm.get(Starting.class).start(job).get();
        lab.await(job.id().local(), seen -> seen.state() instanceof JobState.Running);

        assertThat(slurm.get(Tiering.class).setTier(job, Tier.BORROWED))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.WRONG_STATE);
                    assertThat(trouble.reason()).contains("is not pending", "(mr.alpha.mr-alice)");
                });
    }

    @Test
    void a_job_that_a_preemption_would_end_is_not_moved_to_the_common_qos() {
        slurm.get(Limiting.class).setLimit(ALICE, 8).get();
        final JobKey job = lab.key(lab.sleeper(ALICE, "--ntasks=1", "--no-requeue"));

        assertThat(slurm.get(Tiering.class).setTier(job, Tier.BORROWED))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.WRONG_STATE);
                    assertThat(trouble.reason()).contains("--no-requeue");
                });
        assertThat(qosOf(job)).isEqualTo("mr.alpha.mr-alice");
    }

    @Test
    void pending_tasks_of_an_array_change_their_qos_and_running_ones_keep_it() {
        slurm.get(Limiting.class).setLimit(ALICE, 8).get();
        final JobKey array = lab.key(lab.sleeper(ALICE, "--array=2,4,8-90:2%7"));
        slurm.get(Starting.class).start(array).get();
        final String first = array.id().local() + "_2";
        lab.await(first, job -> job.state() instanceof JobState.Running);

        slurm.get(Tiering.class).setTier(array, Tier.BORROWED).get();
        assertThat(lab.asRoot("squeue", "--noheader", "--array", "--Format=JobArrayID:20,QOS:40")
                        .get()
                        .lines()
                        .map(line -> line.strip().split("\\s+")))
                .hasSize(44)
                .allSatisfy(row -> assertThat(row[1])
                        .as(row[0])
                        .isEqualTo(row[0].equals(first) ? "mr.alpha.mr-alice" : "mr.alpha"));
    }

    @Test
    void changed_limits_are_corrected_and_other_qos_stay_unchanged() {
        slurm.get(Limiting.class).setLimit(ALICE, 5).get();
        slurm.get(Limiting.class).setLimit(BOB, 7).get();
        assertThat(slurm.get(Limiting.class).limits().get()).isEqualTo(Map.of(ALICE, 5, BOB, 7));

        // Changes by an operator; the site's QoS "normal" must stay unchanged.
        lab.asRoot("sacctmgr", "-i", "modify", "qos", "where", "name=mr.alpha", "set", "preemptmode=cancel")
                .get();
        lab.asRoot("sacctmgr", "-i", "modify", "qos", "where", "name=mr.alpha.mr-bob", "set", "preempt=normal")
                .get();
        slurm.get(Limiting.class).setLimit(BOB, 7).get();
        assertThat(lab.asRoot("sacctmgr", "-nP", "show", "qos", "format=Name,GrpTRES,Preempt,PreemptMode")
                        .get()
                        .lines())
                .contains("mr.alpha|||requeue", "mr.alpha.mr-bob|cpu=7|mr.alpha|cluster", "normal|||cluster");

        slurm.get(Limiting.class).setLimit(BOB, 0).get();
        assertThat(slurm.get(Limiting.class).limits().get()).isEqualTo(Map.of(ALICE, 5, BOB, 0));
    }

    @Test
    void a_user_whose_quota_is_cleared_has_no_qos_and_keeps_all_jobs() {
        slurm.get(Limiting.class).setLimit(BOB, 3).get();
        final JobKey waiting = lab.key(lab.sleeper(BOB, "--ntasks=1"));
        assertThat(qosOf(waiting)).isEqualTo("mr.alpha.mr-bob");

        slurm.get(Limiting.class).setLimit(BOB, null).get();
        assertThat(slurm.get(Limiting.class).limits().get()).doesNotContainKey(BOB);
        assertThat(qosOf(waiting)).isEqualTo("mr.alpha");
        final JobKey next = lab.key(lab.sleeper(BOB, "--ntasks=1"));
        assertThat(qosOf(next)).isEqualTo("normal");
        assertThat(slurm.get(Tiering.class).setTier(next, Tier.GUARANTEED))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.reason()).contains("set the user's limit first");
                });
        slurm.get(Limiting.class).setLimit(BOB, null).get();
    }

    @Test
    void a_user_without_an_account_is_reported_with_the_remedy() {
        for (final String name : List.of("nobody.here", "x@y.example", "größe", "a+b$")) {
            assertThat(slurm.get(Limiting.class).setLimit(UserName.of(name), 4))
                    .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                        assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                        assertThat(trouble.reason()).contains(name, "sacctmgr add user " + name);
                    });
        }
        assertThat(slurm.get(Limiting.class).limits().get()).doesNotContainKey(UserName.of("nobody.here"));
    }

    @Test
    void tiers_and_limits_are_offered_with_their_limitations() {
        final Offer offer = Offer.of(slurm);

        assertThat(offer.withheld()).doesNotContainKeys(Capability.TIER, Capability.LIMIT, Capability.ALTER);
        assertThat(offer.capabilities()).contains(Capability.TIER, Capability.LIMIT, Capability.ALTER);
        assertThat(offer.remarks().get(Capability.TIER))
                .contains("keeps the QoS in which it started", "stays preemptible");
    }

    @Test
    void no_limit_is_offered_or_set_while_slurmdbd_is_down() {
        slurm.get(Limiting.class).setLimit(ALICE, 6).get();
        lab.stop("alpha.slurmdbd");
        try {
            assertThat(Offer.of(slurm).withheld().get(Capability.LIMIT)).contains("slurmdbd does not answer");
            assertThat(slurm.get(Limiting.class).setLimit(ALICE, 7))
                    .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                        assertThat(trouble.kind()).isEqualTo(Answer.Kind.DOWN);
                        assertThat(trouble.reason()).contains("check that slurmdbd");
                    });
        } finally {
            lab.start("alpha.slurmdbd");
        }
        lab.until(
                "slurmdbd answers",
                () -> slurm.get(Limiting.class).limits() instanceof Answer.Ok<Map<UserName, Integer>>);
        assertThat(slurm.get(Limiting.class).limits().get()).containsEntry(ALICE, 6);
    }

    private String qosOf(final JobKey job) {
        return lab.asRoot("squeue", "--noheader", "--jobs=" + job.id().local(), "--Format=QOS:60")
                .get()
                .strip();
    }
}
