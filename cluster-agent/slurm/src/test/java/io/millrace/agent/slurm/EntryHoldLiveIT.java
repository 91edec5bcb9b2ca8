package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Starting;
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

/** Commands that users run themselves on a directed cluster, and the watchdog's reaction when the agent stops. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class EntryHoldLiveIT {

    private static final String SLEEP = "#!/bin/sh\nsleep 600\n";
    private static final JobState ENTRY_HOLD = new JobState.Held(HoldKind.ENTRY);
    private static final JobState OWNERS_HOLD = new JobState.Held(HoldKind.USER);

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
        lab.wlm().get(ControlSwitching.class).control(Control.DIRECTED).get();
        lab.wlm().observe().get().jobs().forEach(job -> lab.wlm().cancel(job.job()));
    }

    @Test
    void an_owner_cannot_release_the_entry_hold() {
        final JobKey job = jobUnderEntryHold();

        assertRefused(lab.asOwner("scontrol", "release", id(job)));
        assertRefused(lab.asOwner("scontrol", "update", "JobId=" + id(job), "Priority=1"));
        assertThat(state(job)).isEqualTo(ENTRY_HOLD);
    }

    @Test
    void after_an_owners_hold_and_release_the_entry_hold_remains() {
        final JobKey job = jobUnderEntryHold();

        assertThat(lab.asOwner("scontrol", "hold", id(job))).isInstanceOf(Answer.Ok.class);
        assertThat(state(job)).isEqualTo(OWNERS_HOLD);
        assertThat(lab.asOwner("scontrol", "release", id(job))).isInstanceOf(Answer.Ok.class);
        assertThat(state(job)).isEqualTo(ENTRY_HOLD);
        assertRefused(lab.asOwner("scontrol", "release", id(job)));

        lab.wlm().get(Starting.class).start(job).get();
        await(job, JobState.Running.class::isInstance);
    }

    @Test
    void an_owner_cannot_change_the_far_future_begin_time() {
        final JobKey job = jobUnderEntryHold();
        lab.userHolds(job);
        assertThat(state(job)).isEqualTo(OWNERS_HOLD);

        // Without an observation in between, the agent has not recorded the release yet.
        assertThat(lab.asOwner("scontrol", "release", id(job))).isInstanceOf(Answer.Ok.class);
        assertRefused(lab.asOwner("scontrol", "update", "JobId=" + id(job), "StartTime=now"));
        assertThat(state(job)).isEqualTo(ENTRY_HOLD);
    }

    @Test
    void a_job_that_its_owner_requeues_gets_the_entry_hold_again() {
        final JobKey job = jobUnderEntryHold();
        lab.wlm().get(Starting.class).start(job).get();
        await(job, JobState.Running.class::isInstance);

        assertThat(lab.asOwner("scontrol", "requeue", id(job))).isInstanceOf(Answer.Ok.class);
        await(job, ENTRY_HOLD::equals);
        lab.wlm().get(Starting.class).start(job).get();
        await(job, JobState.Running.class::isInstance);
    }

    @Test
    void jobs_that_are_requeued_and_started_immediately_run_again_every_time() {
        final List<JobKey> jobs =
                List.of(jobUnderEntryHold(), jobUnderEntryHold(), jobUnderEntryHold(), jobUnderEntryHold());
        jobs.forEach(job -> lab.wlm().get(Starting.class).start(job).get());
        for (int round = 1; round <= 4; round++) {
            jobs.forEach(job -> await(job, JobState.Running.class::isInstance));
            jobs.forEach(job -> lab.wlm().get(Requeueing.class).requeue(job).get());
            // slurmd rejects a run that starts too soon ("Job credential revoked"), and the job would count as failed.
            for (final JobKey job : jobs) {
                await(job, ENTRY_HOLD::equals);
                lab.wlm().get(Starting.class).start(job).get();
            }
        }
        jobs.forEach(job -> await(job, JobState.Running.class::isInstance));
    }

    @Test
    void an_operators_hold_is_recognized_and_an_operators_release_starts_the_job() {
        final JobKey job = jobUnderEntryHold();

        assertThat(lab.asRoot("scontrol", "hold", id(job))).isInstanceOf(Answer.Ok.class);
        assertThat(state(job)).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(lab.asRoot("scontrol", "release", id(job))).isInstanceOf(Answer.Ok.class);
        await(job, JobState.Running.class::isInstance);
    }

    @Test
    void pending_jobs_of_native_control_get_the_entry_hold_under_directed_control() {
        lab.wlm().get(ControlSwitching.class).control(Control.NATIVE).get();
        final JobKey wide = lab.userSubmits("all of it", SLEEP, 16, Duration.ofMinutes(10));
        await(wide, JobState.Running.class::isInstance);
        final JobKey waiting = lab.userSubmits("next", SLEEP, 1, Duration.ofMinutes(10));
        assertThat(state(waiting)).isEqualTo(new JobState.Queued());

        lab.wlm().get(ControlSwitching.class).control(Control.DIRECTED).get();
        assertThat(state(waiting)).isEqualTo(ENTRY_HOLD);

        // To Slurm, the agent's hold is an administrator's hold; the owner can still hold and release the job.
        lab.userHolds(waiting);
        assertThat(state(waiting)).isEqualTo(OWNERS_HOLD);
        assertThat(lab.asOwner("scontrol", "release", id(waiting))).isInstanceOf(Answer.Ok.class);
        assertThat(state(waiting)).isEqualTo(ENTRY_HOLD);
    }

    @Test
    void the_watchdog_releases_entry_holds_once_when_the_heartbeat_stops_and_keeps_owners_holds() throws Exception {
        final JobKey waiting = jobUnderEntryHold();
        final JobKey mine = jobUnderEntryHold();
        lab.userHolds(mine);
        final String array = lab.sleeper(lab.owner(), "--array=1-3%2");
        assertThat(lab.asOwner("scontrol", "hold", array + "_2")).isInstanceOf(Answer.Ok.class);
        lab.await(array + "_2", job -> job.state().equals(OWNERS_HOLD));
        final Path heartbeat = lab.dir().resolve("heartbeat");
        Files.createFile(heartbeat);

        final Path output = lab.dir().resolve("watchdog.output");
        final Process watchdog = watchdog(lab, heartbeat, output);
        try {
            await(waiting, JobState.Running.class::isInstance);
            assertThat(lab.wlm().get(ControlSwitching.class).control()).isEqualTo(Answer.ok(Control.NATIVE));
            lab.await(array + "_3", job -> job.state() instanceof JobState.Running);
            assertThat(state(mine)).isEqualTo(OWNERS_HOLD);
            assertThat(lab.observed(array + "_2").state()).isEqualTo(OWNERS_HOLD);
        } finally {
            watchdog.destroy();
        }
        assertThat(Files.readString(output))
                .containsOnlyOnce("wrote native to ")
                .containsOnlyOnce("millrace.control, 2 waiting jobs released");
    }

    private static Process watchdog(final SlurmLab lab, final Path heartbeat, final Path output) throws IOException {
        return new ProcessBuilder(
                        SlurmLab.root()
                                .resolve("deploy/slurm/millrace-watchdog")
                                .toString(),
                        "--heartbeat",
                        heartbeat.toString(),
                        "--heartbeat-timeout",
                        "2",
                        "--conf",
                        lab.site().conf().toString(),
                        "--control-file",
                        lab.site().controlFile().toString(),
                        "--interval",
                        "1")
                .redirectError(output.toFile())
                .start();
    }

    private JobKey jobUnderEntryHold() {
        final JobKey job = lab.userSubmits("mine", SLEEP, 1, Duration.ofMinutes(10));
        assertThat(state(job)).isEqualTo(ENTRY_HOLD);
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
        final Instant limit = Instant.now().plusSeconds(300);
        JobState seen = state(job);
        while (!wanted.test(seen)) {
            assertThat(Instant.now()).as("timed out; last state: " + seen).isBefore(limit);
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
