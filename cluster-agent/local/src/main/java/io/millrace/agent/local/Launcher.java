package io.millrace.agent.local;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.session.Program;
import io.millrace.agent.session.Session;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts runs and finds out how they ended. */
final class Launcher {

    /** How long a wrapper may take from taking the run to saying that it started. */
    private static final Duration FIRST_SIGN = Duration.ofSeconds(15);

    private final LocalSettings settings;
    private final StateDirectory journal;
    private final Accounts accounts;
    private final Sessions sessions;
    private final Set<Path> told = new HashSet<>();

    Launcher(final LocalSettings settings, final StateDirectory journal, final Accounts accounts) {
        this.settings = settings;
        this.journal = journal;
        this.accounts = accounts;
        this.sessions = new Sessions(settings.stateDir().resolve("bin"));
    }

    Session session(final LocalJob job, final int run) {
        return new Session(journal.run(job, run));
    }

    /** Lays down what the run needs; nothing runs yet. */
    void prepare(final LocalJob job, final int run) {
        sessions.prepare(journal.run(job, run), program(job, run));
    }

    void launch(final LocalJob job, final int run) {
        sessions.launch(journal.run(job, run), program(job, run));
    }

    /** What would be run for it; its script gets its place in the journal with its id. */
    List<String> argv(final Submission submission) {
        final List<String> words =
                new ArrayList<>(UserSwitch.prefix(accounts.own(), account(submission.owner()), Set.of()));
        words.add(settings.stateDir() + "/jobs/ID/script");
        return words;
    }

    private Program program(final LocalJob job, final int run) {
        final Account account = account(job.owner());
        return new Program(
                List.of(journal.script(job).toString()),
                UserSwitch.prefix(accounts.own(), account, Set.of()),
                environment(job, run, account),
                settings.asOwner() ? Program.Surroundings.LOGIN : Program.Surroundings.EXACTLY,
                job.directory(),
                job.directory() + "/millrace-" + job.key().id().local() + ".out",
                job.spec().walltime());
    }

    /** Tells the run's processes to end, once; a run whose processes are not there yet is told when they are. */
    void terminate(final LocalJob job, final int run) {
        final Path folder = journal.run(job, run);
        if (!told.contains(folder) && session(job, run).signal("TERM", true)) {
            session(job, run).signal("CONT", true);
            told.add(folder);
        }
    }

    /**
     * Looks whether a run is over.
     *
     * @param gate the hold under which a job that is put back waits
     * @return the job's next state; empty if the run goes on
     */
    Optional<LocalJob> poll(
            final LocalJob job, final LocalJob.Active active, final @Nullable HoldKind gate, final Instant now) {
        final Session session = session(job, active.run());
        if (session.hasStarted()) {
            final boolean lives = session.wrapperLives();
            // Asked in this order: a wrapper that is gone has left its record before.
            final Optional<Session.Exit> exit = session.exit();
            if (exit.isPresent()) {
                told.remove(journal.run(job, active.run()));
                return Optional.of(ended(job, active, exit.get(), gate));
            }
            if (!lives) {
                session.signal("KILL", true);
                return Optional.of(over(job, active, gate, active.started(), now, new RunOutcome.NodeFailed()));
            }
            if (active.killAt() != null) {
                terminate(job, active.run());
                if (now.isAfter(active.killAt())) {
                    session.signal("KILL", true);
                }
            }
            return Optional.empty();
        }
        return withoutSign(job, active, gate, now, session);
    }

    /** A run that the journal knows and that gave no sign of life: not begun when the agent died, or lost with the machine. */
    private Optional<LocalJob> withoutSign(
            final LocalJob job,
            final LocalJob.Active active,
            final @Nullable HoldKind gate,
            final Instant now,
            final Session session) {
        if (now.isBefore(active.started().plus(FIRST_SIGN))) {
            return Optional.empty();
        }
        if (session.claim()) {
            return Optional.of(
                    active.endReason() == LocalJob.EndReason.CANCEL
                            ? job.ended(null, now, new RunOutcome.Cancelled())
                            : job.requeued(active.started(), active.started(), gate));
        }
        return Optional.of(over(job, active, gate, active.started(), now, new RunOutcome.NodeFailed()));
    }

    private static LocalJob ended(
            final LocalJob job, final LocalJob.Active active, final Session.Exit exit, final @Nullable HoldKind gate) {
        final Instant started = Instant.EPOCH.plus(exit.started_us(), ChronoUnit.MICROS);
        final Instant ended = Instant.EPOCH.plus(exit.ended_us(), ChronoUnit.MICROS);
        return over(job, active, gate, started, ended, outcome(exit));
    }

    /** By the shell's convention a status above 128 is a signal; a script that exits so by itself is read the same way. */
    private static RunOutcome outcome(final Session.Exit exit) {
        if (exit.timedOut()) {
            return new RunOutcome.TimedOut();
        }
        return exit.status() > 128 && exit.status() <= 128 + 64
                ? new RunOutcome.Signalled(exit.status() - 128)
                : new RunOutcome.Exited(exit.status());
    }

    private static LocalJob over(
            final LocalJob job,
            final LocalJob.Active active,
            final @Nullable HoldKind gate,
            final Instant started,
            final Instant ended,
            final RunOutcome byItself) {
        return switch (active.endReason()) {
            case null -> job.ended(started, ended, byItself);
            case CANCEL -> job.ended(started, ended, new RunOutcome.Cancelled());
            case REQUEUE -> job.requeued(started, ended, gate);
            case REQUEUE_HELD -> job.requeued(started, ended, HoldKind.ENTRY);
        };
    }

    private Account account(final UserName owner) {
        return settings.asOwner()
                ? accounts.named(owner)
                        .orElseThrow(() -> new IllegalStateException("the account of '" + owner + "' is gone"))
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
