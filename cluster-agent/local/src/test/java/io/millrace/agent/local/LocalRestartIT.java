package io.millrace.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The state of the embedded workload manager after a restart. */
class LocalRestartIT {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final LocalClusterUnderTest site = new LocalClusterUnderTest();
    private final Path directory = site.directory();

    @AfterEach
    void close() {
        site.local().observe().get().jobs().forEach(job -> site.local().cancel(job.job()));
        await(() -> site.local().observe().get().jobs().isEmpty());
        site.close();
    }

    @Test
    void a_running_job_continues_and_is_not_started_again() {
        final JobKey job = start(
                "#!/bin/bash\necho started >>runs\nwhile [ ! -e go ]; do sleep 0.1; done\necho ended >>runs\n", LONG);
        await(() -> text("runs").equals("started\n"));

        site.restart();
        assertThat(state(job)).isInstanceOf(JobState.Running.class);
        assertThat(site.local().start(job)).isInstanceOf(io.millrace.agent.wlm.Answer.Trouble.class);
        touch("go");

        await(() -> !runs(job).isEmpty());
        assertThat(runs(job)).extracting(Run::outcome).containsExactly(new RunOutcome.Exited(0));
        assertThat(text("runs")).isEqualTo("started\nended\n");
    }

    @Test
    void a_job_that_ended_while_the_agent_was_down_is_reported() {
        final JobKey job = start("#!/bin/bash\nwhile [ ! -e go ]; do sleep 0.1; done\nexit 3\n", LONG);
        site.local().close();
        touch("go");
        await(() -> Files.exists(site.state().resolve("jobs/" + job.id().local() + "/run-1/exit")));

        site.restart();
        assertThat(runs(job)).extracting(Run::outcome).containsExactly(new RunOutcome.Exited(3));
        assertThat(site.local().observe().get().jobs()).isEmpty();
    }

    @Test
    void the_walltime_is_enforced_while_the_agent_is_down() {
        final JobKey job = start("#!/bin/bash\nsleep 600\n", Duration.ofSeconds(1));
        site.local().close();
        await(() -> Files.exists(site.state().resolve("jobs/" + job.id().local() + "/run-1/exit")));

        site.restart();
        assertThat(runs(job)).extracting(Run::outcome).containsExactly(new RunOutcome.TimedOut());
    }

    @Test
    void holds_and_queue_order_survive_a_restart() {
        final JobKey first = site.userSubmits("first", "#!/bin/sh\ntrue\n", 1, LONG);
        final JobKey second = site.userSubmits("second", "#!/bin/sh\ntrue\n", 1, LONG);
        site.userHolds(second);

        site.restart();
        assertThat(site.local().observe().get().jobs())
                .extracting(JobObserved::job)
                .containsExactly(first, second);
        assertThat(state(first)).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(state(second)).isEqualTo(new JobState.Held(HoldKind.USER));
        final JobKey third = site.userSubmits("third", "#!/bin/sh\ntrue\n", 1, LONG);
        assertThat(Long.parseLong(third.id().local()))
                .isGreaterThan(Long.parseLong(second.id().local()));
    }

    @Test
    void a_run_whose_wrapper_was_killed_ends_as_node_failure_and_its_processes_are_killed() throws IOException {
        final JobKey job = start("#!/bin/bash\necho $$ >pid\nsleep 600\n", LONG);
        await(() -> !text("pid").isEmpty());
        final Path run = site.state().resolve("jobs/" + job.id().local() + "/run-1");
        final long wrapper =
                Long.parseLong(Files.readString(run.resolve("start")).split(" ")[0]);
        ProcessHandle.of(wrapper).orElseThrow().destroyForcibly();

        await(() -> !runs(job).isEmpty());
        assertThat(runs(job)).extracting(Run::outcome).containsExactly(new RunOutcome.NodeFailed());
        final long application = Long.parseLong(text("pid").strip());
        await(() -> ProcessHandle.of(application).filter(ProcessHandle::isAlive).isEmpty());
    }

    /** Also one in a process group of its own, as a shell with job control starts it. */
    @Test
    void processes_that_a_job_leaves_running_are_killed_at_its_end() {
        final JobKey job = start("#!/bin/bash\nset -m\nsleep 600 &\necho $! >pid\nexit 4\n", LONG);

        await(() -> !runs(job).isEmpty());
        assertThat(runs(job)).extracting(Run::outcome).containsExactly(new RunOutcome.Exited(4));
        final long left = Long.parseLong(text("pid").strip());
        await(() -> ProcessHandle.of(left).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void a_state_directory_is_used_by_one_agent_only() {
        final LocalCluster second = new LocalCluster(
                new LocalSettings(
                        site.cluster(),
                        site.state(),
                        2,
                        2,
                        io.millrace.model.cluster.Control.DIRECTED,
                        true,
                        Duration.ofSeconds(5),
                        Duration.ofDays(30)),
                new io.millrace.agent.exec.Accounts(),
                java.time.Clock.systemUTC());
        org.assertj.core.api.Assertions.assertThatThrownBy(second::open)
                .isInstanceOf(java.nio.channels.OverlappingFileLockException.class);
        second.close();
    }

    private JobKey start(final String script, final Duration walltime) {
        final JobKey job = site.userSubmits("job", script, 1, walltime);
        site.local().start(job).get();
        await(() -> Files.exists(site.state().resolve("jobs/" + job.id().local() + "/run-1/session")));
        return job;
    }

    private JobState state(final JobKey job) {
        return site.local().observe().get().jobs().stream()
                .filter(seen -> seen.job().equals(job))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private List<Run> runs(final JobKey job) {
        return site.local().ended(List.of(job)).get();
    }

    private String text(final String file) {
        try {
            return Files.exists(directory.resolve(file)) ? Files.readString(directory.resolve(file)) : "";
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void touch(final String file) {
        try {
            Files.createFile(directory.resolve(file));
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(final BooleanSupplier wanted) {
        final Instant limit = Instant.now().plusSeconds(300);
        while (!wanted.getAsBoolean()) {
            assertThat(Instant.now()).as("timed out").isBefore(limit);
            try {
                Thread.sleep(50);
            } catch (final InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
