package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What users do by themselves on a directed cluster, and what the watchdog does when Millrace is silent. */
@Tag("slurm")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EntryHoldLiveIT {

    private static final String SLEEP = "#!/bin/sh\nsleep 600\n";
    private static final JobState AT_THE_GATE = new JobState.Held(HoldKind.ENTRY);
    private static final JobState HELD_BY_ITS_OWNER = new JobState.Held(HoldKind.USER);

    private SlurmLab lab;

    @BeforeAll
    void open() {
        lab = SlurmLab.open();
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
        lab.wlm().control(Control.DIRECTED).get();
        lab.wlm().observe().get().jobs().forEach(job -> lab.wlm().cancel(job.job()));
    }

    @Test
    void an_owner_cannot_pass_the_gate() {
        final JobKey job = atTheGate();

        assertRefused(lab.asOwner("scontrol", "release", id(job)));
        assertRefused(lab.asOwner("scontrol", "update", "JobId=" + id(job), "Priority=1"));
        assertThat(state(job)).isEqualTo(AT_THE_GATE);
    }

    @Test
    void an_owners_hold_and_release_bring_the_job_back_to_the_gate() {
        final JobKey job = atTheGate();

        assertThat(lab.asOwner("scontrol", "hold", id(job))).isInstanceOf(Answer.Ok.class);
        assertThat(state(job)).isEqualTo(HELD_BY_ITS_OWNER);
        assertThat(lab.asOwner("scontrol", "release", id(job))).isInstanceOf(Answer.Ok.class);
        assertThat(state(job)).isEqualTo(AT_THE_GATE);
        assertRefused(lab.asOwner("scontrol", "release", id(job)));

        lab.wlm().start(job).get();
        await(job, JobState.Running.class::isInstance);
    }

    @Test
    void an_owner_cannot_slip_past_the_far_begin_time() {
        final JobKey job = atTheGate();
        lab.userHolds(job);
        assertThat(state(job)).isEqualTo(HELD_BY_ITS_OWNER);

        // No look in between: the agent has not noted the release yet.
        assertThat(lab.asOwner("scontrol", "release", id(job))).isInstanceOf(Answer.Ok.class);
        assertRefused(lab.asOwner("scontrol", "update", "JobId=" + id(job), "StartTime=now"));
        assertThat(state(job)).isEqualTo(AT_THE_GATE);
    }

    @Test
    void a_job_that_its_owner_requeues_waits_at_the_gate_again() {
        final JobKey job = atTheGate();
        lab.wlm().start(job).get();
        await(job, JobState.Running.class::isInstance);

        assertThat(lab.asOwner("scontrol", "requeue", id(job))).isInstanceOf(Answer.Ok.class);
        await(job, AT_THE_GATE::equals);
        lab.wlm().start(job).get();
        await(job, JobState.Running.class::isInstance);
    }

    @Test
    void jobs_that_are_requeued_and_started_at_once_run_again_every_time() {
        final List<JobKey> jobs = List.of(atTheGate(), atTheGate(), atTheGate(), atTheGate());
        jobs.forEach(job -> lab.wlm().start(job).get());
        for (int round = 1; round <= 4; round++) {
            jobs.forEach(job -> await(job, JobState.Running.class::isInstance));
            jobs.forEach(job -> lab.wlm().requeue(job).get());
            // Too soon a run is refused by slurmd ("Job credential revoked") and counts as failed: the job would be
            // gone.
            for (final JobKey job : jobs) {
                await(job, AT_THE_GATE::equals);
                lab.wlm().start(job).get();
            }
        }
        jobs.forEach(job -> await(job, JobState.Running.class::isInstance));
    }

    @Test
    void an_operators_hold_is_not_millraces_and_an_operators_release_counts() {
        final JobKey job = atTheGate();

        assertThat(lab.asRoot("scontrol", "hold", id(job))).isInstanceOf(Answer.Ok.class);
        assertThat(state(job)).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(lab.asRoot("scontrol", "release", id(job))).isInstanceOf(Answer.Ok.class);
        await(job, JobState.Running.class::isInstance);
    }

    @Test
    void jobs_that_came_in_under_native_control_stop_at_the_gate_when_it_is_shut() {
        lab.wlm().control(Control.NATIVE).get();
        final JobKey wide = lab.userSubmits("all of it", SLEEP, 16, Duration.ofMinutes(10));
        await(wide, JobState.Running.class::isInstance);
        final JobKey waiting = lab.userSubmits("next", SLEEP, 1, Duration.ofMinutes(10));
        assertThat(state(waiting)).isEqualTo(new JobState.Queued());

        lab.wlm().control(Control.DIRECTED).get();
        assertThat(state(waiting)).isEqualTo(AT_THE_GATE);

        // The agent's hold is an administrator's to Slurm; the owner's own comes and goes on top of it all the same.
        lab.userHolds(waiting);
        assertThat(state(waiting)).isEqualTo(HELD_BY_ITS_OWNER);
        assertThat(lab.asOwner("scontrol", "release", id(waiting))).isInstanceOf(Answer.Ok.class);
        assertThat(state(waiting)).isEqualTo(AT_THE_GATE);
    }

    @Test
    void the_watchdog_opens_the_gate_once_when_millrace_is_silent_and_leaves_the_owners_holds() throws Exception {
        final JobKey waiting = atTheGate();
        final JobKey mine = atTheGate();
        lab.userHolds(mine);
        final String array = lab.sleeper(lab.owner(), "--array=1-3%2");
        assertThat(lab.asOwner("scontrol", "hold", array + "_2")).isInstanceOf(Answer.Ok.class);
        lab.await(array + "_2", job -> job.state().equals(HELD_BY_ITS_OWNER));
        final Path heartbeat = lab.dir().resolve("heartbeat");
        Files.createFile(heartbeat);

        final Path words = lab.dir().resolve("watchdog.words");
        final Process watchdog = watchdog(lab, heartbeat, words);
        try {
            await(waiting, JobState.Running.class::isInstance);
            assertThat(lab.wlm().control()).isEqualTo(Answer.ok(Control.NATIVE));
            lab.await(array + "_3", job -> job.state() instanceof JobState.Running);
            assertThat(state(mine)).isEqualTo(HELD_BY_ITS_OWNER);
            assertThat(lab.observed(array + "_2").state()).isEqualTo(HELD_BY_ITS_OWNER);
        } finally {
            watchdog.destroy();
        }
        assertThat(Files.readString(words)).containsOnlyOnce("says native, 2 waiting jobs released");
    }

    private static Process watchdog(final SlurmLab lab, final Path heartbeat, final Path words) throws IOException {
        return new ProcessBuilder(
                        SlurmLab.root()
                                .resolve("deploy/slurm/millrace-watchdog")
                                .toString(),
                        "--heartbeat",
                        heartbeat.toString(),
                        "--silent-after",
                        "2",
                        "--conf",
                        lab.site().conf().toString(),
                        "--control-file",
                        lab.site().controlFile().toString(),
                        "--interval",
                        "1")
                .redirectError(words.toFile())
                .start();
    }

    private JobKey atTheGate() {
        final JobKey job = lab.userSubmits("mine", SLEEP, 1, Duration.ofMinutes(10));
        assertThat(state(job)).isEqualTo(AT_THE_GATE);
        return job;
    }

    private static String id(final JobKey job) {
        return job.id().local();
    }

    private JobState state(final JobKey job) {
        return lab.wlm().observe().get().jobs().stream()
                .filter(seen -> seen.job().equals(job))
                .map(JobObserved::state)
                .findFirst()
                .orElseThrow();
    }

    private void await(final JobKey job, final Predicate<JobState> wanted) {
        final Instant limit = Instant.now().plusSeconds(90);
        JobState seen = state(job);
        while (!wanted.test(seen)) {
            assertThat(Instant.now()).as("waited in vain; last seen: " + seen).isBefore(limit);
            try {
                Thread.sleep(150);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            seen = state(job);
        }
    }

    private static void assertRefused(final Answer<String> answer) {
        assertThat(answer).isInstanceOf(Answer.Trouble.class);
    }
}
