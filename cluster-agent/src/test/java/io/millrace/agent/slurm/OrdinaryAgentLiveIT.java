package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Offer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The agent is the ordinary user millrace: what Slurm and sudo allow it is enough, and what they do not is said by name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdinaryAgentLiveIT {

    private static final JobState AT_THE_GATE = new JobState.Held(HoldKind.ENTRY);

    private SlurmLab lab;
    private Slurm slurm;
    private Path directory;

    @BeforeAll
    void open() {
        lab = SlurmLab.openForAgent();
        slurm = lab.wlmOfAgent();
        directory = lab.directory();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @AfterEach
    void empty_the_queue() {
        lab.wlm().observe().get().jobs().forEach(job -> lab.wlm().cancel(job.job()));
        lab.until("an empty queue", () -> lab.wlm().observe().get().jobs().isEmpty());
    }

    @Test
    void all_orders_work_without_root() throws Exception {
        assertThat(Offer.of(slurm).withheld())
                .doesNotContainKeys(Capability.START, Capability.TIER, Capability.LIMIT, Capability.ALTER);
        final JobKey job = submit("#!/bin/sh\nid -un >who\nexec sleep 600\n");
        final String id = job.id().local();

        slurm.release(job, HoldKind.SUBMISSION).get();
        assertThat(lab.observed(id).state()).isEqualTo(AT_THE_GATE);
        slurm.hold(job, HoldKind.ENTRY).get();
        slurm.limit(lab.owner(), 8).get();
        assertThat(slurm.limits().get()).containsEntry(lab.owner(), 8);
        slurm.tier(job, Tier.BORROWED).get();
        slurm.walltime(job, Duration.ofMinutes(20)).get();
        slurm.start(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        lab.until("it to say who it is", () -> Files.exists(directory.resolve("who")));
        slurm.walltime(job, Duration.ofMinutes(30)).get();
        slurm.suspend(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Suspended);
        slurm.resume(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        slurm.requeueHeld(job).get();
        lab.await(id, seen -> seen.state().equals(AT_THE_GATE));
        slurm.start(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        slurm.signal(job, "CONT").get();
        slurm.cancel(job).get();
        lab.until("it to be gone", () -> slurm.observe().get().jobs().isEmpty());
        assertThat(Files.readString(directory.resolve("who")).strip())
                .isEqualTo(lab.owner().value());
    }

    @Test
    void the_gate_is_opened_and_shut_without_root() {
        final String id = lab.sleeper(lab.owner(), "--ntasks=1");
        assertThat(lab.observed(id).state()).isEqualTo(AT_THE_GATE);

        slurm.control(Control.NATIVE).get();
        assertThat(slurm.control()).isEqualTo(Answer.ok(Control.NATIVE));
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        slurm.control(Control.DIRECTED).get();
        assertThat(lab.observed(lab.sleeper(lab.owner(), "--ntasks=1")).state()).isEqualTo(AT_THE_GATE);
    }

    @Test
    void an_agent_whose_rights_were_taken_says_which_it_lacks_and_how_to_get_them() {
        final JobKey job = lab.key(lab.sleeper(lab.owner(), "--ntasks=1"));
        level("None");
        try {
            lab.until("slurmctld knows it", () -> slurm.start(job) instanceof Answer.Trouble);
            assertThat(slurm.start(job)).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                assertThat(trouble.because()).contains("adminlevel=Administrator");
            });
            assertThat(slurm.limit(lab.owner(), 2)).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                assertThat(trouble.because()).contains("adminlevel=Administrator");
            });
            assertThat(Offer.of(slurm).withheld().get(Capability.START))
                    .contains("'millrace'", "adminlevel=Administrator");
            assertThat(lab.observed(job.id().local()).state()).isEqualTo(AT_THE_GATE);
        } finally {
            level("Administrator");
        }
        lab.until(
                "it may again",
                () -> slurm.hold(job, HoldKind.ENTRY) instanceof Answer.Ok && slurm.start(job) instanceof Answer.Ok);
    }

    @Test
    void nobody_but_the_users_that_sudo_names_has_jobs_handed_in() {
        assertThat(slurm.submit(submission(UserName.of("root"), "#!/bin/sh\ntrue\n")))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                    assertThat(trouble.because()).contains("sudoers.d/millrace");
                });
        assertThat(slurm.observe().get().jobs()).isEmpty();
    }

    @Test
    void hostile_words_in_every_field_stay_words_through_sudo_and_slurm() throws Exception {
        final Path canary = lab.dir().resolve("canary");
        final String hostile =
                "x'; touch " + canary + "; $(touch " + canary + ") `touch " + canary + "` \"\n--uid=0 %j";
        final Path odd = directory.resolve("odd '; $(touch canary) %j \"größe\"");
        lab.as(lab.owner(), "mkdir", "-p", odd.toString()).get();
        final JobSpec spec = new JobSpec(
                hostile,
                "#!/bin/sh\nprintf %s \"$WORDS\" >words\npwd >where\nid -u >who\n",
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                null,
                ProjectName.of("lab"),
                Map.of("WORDS", hostile),
                new CheckpointMethod.None());
        final JobKey job = slurm.submit(new Submission(
                        GlobalJobId.of("01HZZZZZZZ0000000000000043").attempt(1), lab.owner(), spec, odd.toString()))
                .get();
        assertThat(lab.observed(job.id().local()).name()).isEqualTo(hostile);
        assertThat(lab.observed(job.id().local()).owner()).isEqualTo(lab.owner());
        slurm.release(job, HoldKind.SUBMISSION).get();
        slurm.start(job).get();
        lab.until("it to end", () -> slurm.observe().get().jobs().isEmpty());

        assertThat(Files.readString(odd.resolve("words"))).isEqualTo(hostile);
        assertThat(Files.readString(odd.resolve("where"))).isEqualTo(odd + "\n");
        assertThat(Files.readString(odd.resolve("who"))).isNotEqualTo("0\n");
        assertThat(odd.resolve("millrace-" + job.id().local() + ".out")).isEmptyFile();
        for (final JobSpec refused : List.of(
                with(spec, PartitionName.of("main;touch"), null), with(spec, null, ProjectName.of("nowhere+x")))) {
            assertThat(slurm.submit(new Submission(
                            GlobalJobId.of("01HZZZZZZZ0000000000000044").attempt(1),
                            lab.owner(),
                            refused,
                            odd.toString())))
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind())
                                    .as(trouble.because())
                                    .isEqualTo(Answer.Kind.REJECTED));
        }
        assertThat(slurm.signal(job, "USR1;touch " + canary)).isInstanceOf(Answer.Trouble.class);
        assertThat(canary).doesNotExist();
        assertThat(odd.resolve("canary")).doesNotExist();
    }

    private static JobSpec with(
            final JobSpec spec, final @Nullable PartitionName partition, final @Nullable ProjectName project) {
        return new JobSpec(
                spec.name(),
                spec.script(),
                null,
                spec.resources(),
                spec.walltime(),
                partition,
                project,
                spec.environment(),
                spec.checkpoint());
    }

    private void level(final String level) {
        lab.asRoot("sacctmgr", "-i", "modify", "user", "where", "name=millrace", "set", "adminlevel=" + level)
                .get();
    }

    private JobKey submit(final String script) {
        return slurm.submit(submission(lab.owner(), script)).get();
    }

    private Submission submission(final UserName owner, final String script) {
        final JobSpec spec = new JobSpec(
                "ordinary",
                script,
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None());
        return new Submission(
                GlobalJobId.of("01HZZZZZZZ0000000000000042").attempt(1), owner, spec, directory.toString());
    }
}
