package io.millrace.agent.local;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.session.Program;
import io.millrace.agent.session.Session;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.script.StandardStreams;
import io.millrace.script.wrapper.OutputFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts runs and determines how they ended. */
final class Launcher {

    /** The time within which a wrapper must report the start of its run. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(15);

    private final LocalSettings settings;
    private final StateDirectory state;
    private final Accounts accounts;
    private final Sessions sessions;
    private final Set<Path> terminating = new HashSet<>();
    private final Map<Path, Session> running = new HashMap<>();

    Launcher(final LocalSettings settings, final StateDirectory state, final Accounts accounts) {
        this.settings = settings;
        this.state = state;
        this.accounts = accounts;
        this.sessions = new Sessions(settings.stateDir().resolve("bin"));
    }

    Session session(final LocalJob job, final int run) {
        return new Session(state.run(job, run));
    }

    /** Writes the files of the run without starting it. */
    void prepare(final LocalJob job, final int run) {
        sessions.prepare(state.run(job, run), program(job, run));
    }

    void launch(final LocalJob job, final int run) {
        sessions.launch(state.run(job, run), program(job, run));
    }

    /** The command line that would run the submission; {@code ID} represents the job id. */
    List<String> argv(final Submission submission) {
        final List<String> argv = new ArrayList<>(UserSwitch.prefix(accounts.own(), account(submission.owner())));
        argv.add(settings.stateDir() + "/jobs/ID/script");
        return argv;
    }

    private Program program(final LocalJob job, final int run) {
        final Account account = account(job.owner());
        return new Program(
                List.of(state.script(job).toString()),
                UserSwitch.prefix(accounts.own(), account),
                environment(job, run, account),
                settings.asOwner() ? Program.BaseEnvironment.LOGIN : Program.BaseEnvironment.EMPTY,
                job.directory(),
                outputFile(job),
                job.spec().walltime());
    }

    private String outputFile(final LocalJob job) {
        final AttemptId attempt = job.attempt();
        if (attempt == null) {
            return job.directory() + "/millrace-" + job.key().id().local() + ".out";
        }
        final String chosen = StandardStreams.of(
                        job.spec(), attempt, job.key().id().cluster(), job.owner())
                .output();
        return chosen != null && chosen.startsWith("/")
                ? chosen
                : job.directory() + "/" + (chosen == null ? OutputFile.of(attempt) : chosen);
    }

    /** Sends SIGTERM to the run's processes once. If they do not exist yet, the next poll sends it. */
    void terminate(final LocalJob job, final int run) {
        final Path folder = state.run(job, run);
        if (!terminating.contains(folder) && session(job, run).signal("TERM", true)) {
            session(job, run).signal("CONT", true);
            terminating.add(folder);
        }
    }

    /**
     * Checks whether a run has ended.
     *
     * @param hold the hold of the job if it is requeued
     * @return the job's next state; empty if the run continues
     */
    Optional<LocalJob> poll(
            final LocalJob job, final LocalJob.Active active, final @Nullable HoldKind hold, final Instant now) {
        final Path folder = state.run(job, active.run());
        final Session session = running.computeIfAbsent(folder, Session::new);
        if (session.hasStarted()) {
            final boolean lives = session.isWrapperRunning();
            // In this order: a wrapper writes its record before it exits.
            final Optional<Session.Exit> exit = session.exit();
            if (exit.isPresent()) {
                forget(folder);
                return Optional.of(ended(job, active, exit.get(), hold));
            }
            if (!lives) {
                session.signal("KILL", true);
                forget(folder);
                return Optional.of(next(job, active, hold, active.started(), now, new RunOutcome.NodeFailed()));
            }
            if (active.killAt() != null) {
                terminate(job, active.run());
                if (now.isAfter(active.killAt())) {
                    session.signal("KILL", true);
                }
            }
            return Optional.empty();
        }
        final Optional<LocalJob> next = notStarted(job, active, hold, now, session);
        if (next.isPresent()) {
            forget(folder);
        }
        return next;
    }

    private void forget(final Path folder) {
        terminating.remove(folder);
        running.remove(folder);
    }

    /** A recorded run without a start report: the agent died before the start, or the machine failed. */
    private Optional<LocalJob> notStarted(
            final LocalJob job,
            final LocalJob.Active active,
            final @Nullable HoldKind hold,
            final Instant now,
            final Session session) {
        if (now.isBefore(active.started().plus(START_TIMEOUT))) {
            return Optional.empty();
        }
        if (session.claim()) {
            return Optional.of(
                    active.endReason() == LocalJob.EndReason.CANCEL
                            ? job.ended(null, now, new RunOutcome.Cancelled())
                            : job.requeued(active.started(), active.started(), hold));
        }
        return Optional.of(next(job, active, hold, active.started(), now, new RunOutcome.NodeFailed()));
    }

    private static LocalJob ended(
            final LocalJob job, final LocalJob.Active active, final Session.Exit exit, final @Nullable HoldKind hold) {
        final Instant started = Instant.EPOCH.plus(exit.started_us(), ChronoUnit.MICROS);
        final Instant ended = Instant.EPOCH.plus(exit.ended_us(), ChronoUnit.MICROS);
        return next(job, active, hold, started, ended, outcome(exit));
    }

    /** By the shell's convention, a status above 128 means a signal; an exit of the script with such a status is not distinguishable. */
    private static RunOutcome outcome(final Session.Exit exit) {
        if (exit.timedOut()) {
            return new RunOutcome.TimedOut();
        }
        return exit.status() > 128 && exit.status() <= 128 + 64
                ? new RunOutcome.Signalled(exit.status() - 128)
                : new RunOutcome.Exited(exit.status());
    }

    private static LocalJob next(
            final LocalJob job,
            final LocalJob.Active active,
            final @Nullable HoldKind hold,
            final Instant started,
            final Instant ended,
            final RunOutcome outcome) {
        return switch (active.endReason()) {
            case null -> job.ended(started, ended, outcome);
            case CANCEL -> job.ended(started, ended, new RunOutcome.Cancelled());
            case REQUEUE -> job.requeued(started, ended, hold);
            case REQUEUE_HELD -> job.requeued(started, ended, HoldKind.ENTRY);
        };
    }

    private Account account(final UserName owner) {
        return settings.asOwner()
                ? accounts.named(owner)
                        .orElseThrow(() -> new IllegalStateException("account '" + owner + "' no longer exists"))
                : accounts.own();
    }

    private Map<String, String> environment(final LocalJob job, final int run, final Account account) {
        final Map<String, String> all = new LinkedHashMap<>();
        if (!settings.asOwner()) {
            all.put("PATH", "/usr/local/bin:/usr/bin:/bin");
            all.put("LANG", "C.UTF-8");
        }
        all.put("HOME", account.home());
        all.put("SHELL", account.shell());
        all.put("USER", account.name().value());
        all.put("LOGNAME", account.name().value());
        all.putAll(job.spec().environment());
        all.put("MILLRACE_CLUSTER", settings.cluster().value());
        all.put("MILLRACE_JOB_ID", job.key().id().local());
        all.put("MILLRACE_RESTART", Integer.toString(run - 1));
        all.put("MILLRACE_CORES", Integer.toString(job.spec().resources().cores()));
        if (job.attempt() != null) {
            all.put("MILLRACE_ATTEMPT", job.attempt().toString());
        }
        return all;
    }
}
