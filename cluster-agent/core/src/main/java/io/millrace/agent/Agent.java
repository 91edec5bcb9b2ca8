package io.millrace.agent;

import io.millrace.agent.command.BackgroundCommands;
import io.millrace.agent.command.CommandProcessor;
import io.millrace.agent.control.ControlSwitch;
import io.millrace.agent.domain.PollSchedule;
import io.millrace.agent.observe.ClusterObserver;
import io.millrace.agent.observe.EventFileWatcher;
import io.millrace.agent.observe.WlmStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main loop of the agent, on one thread: replay from Kafka, then commands, results and polls of the workload manager in turn.
 *
 * <p>If Kafka becomes unavailable, the loop starts again with a replay. If another agent has fenced this one, it stops.
 */
public final class Agent implements AutoCloseable {

    /** The exit code of a process whose agent was fenced. A JVM that runs out of memory exits with 3, and should be restarted. */
    public static final int FENCED_EXIT_CODE = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);

    private final AgentSettings settings;
    private final AgentLog log;
    private final CommandProcessor commands;
    private final ClusterObserver observer;
    private final ControlSwitch control;
    private final BackgroundCommands background;
    private final EventFileWatcher events;
    private final AgentMetrics metrics;
    private final Clock clock;
    private final Runnable onFenced;
    private final Thread thread = Thread.ofPlatform().name("agent").unstarted(this::run);
    private volatile boolean stopping;
    private volatile @Nullable String problem = "not connected to Kafka yet";
    private PollSchedule nextPoll = PollSchedule.NOW;
    /** Whether a command may have changed the queue since the last poll. */
    private boolean queueChanged;

    Agent(
            final AgentSettings settings,
            final AgentLog log,
            final CommandProcessor commands,
            final ClusterObserver observer,
            final ControlSwitch control,
            final BackgroundCommands background,
            final EventFileWatcher events,
            final AgentMetrics metrics,
            final Clock clock,
            final Runnable onFenced) {
        this.settings = settings;
        this.log = log;
        this.commands = commands;
        this.observer = observer;
        this.control = control;
        this.background = background;
        this.events = events;
        this.metrics = metrics;
        this.clock = clock;
        this.onFenced = onFenced;
    }

    public void start() {
        events.start();
        thread.start();
    }

    /** Why the agent does not work at the moment; null if it works. */
    public @Nullable String problem() {
        return problem;
    }

    /** How the workload manager has answered recently. */
    public WlmStatus wlmStatus() {
        return observer.status();
    }

    /** Product and version of the workload manager. */
    public String wlmVersion() {
        return observer.version();
    }

    /** Why the agent cannot switch to the configured control; null: it can, or need not. */
    public @Nullable String controlProblem() {
        return control.problem();
    }

    /** State of each event file of the workload manager, by name. */
    public Map<String, String> eventSources() {
        return events.sources();
    }

    private void run() {
        while (!stopping) {
            try {
                session();
            } catch (final AgentLog.Fenced e) {
                problem = e.getMessage();
                LOG.atError()
                        .addKeyValue("cluster", settings.cluster())
                        .addKeyValue("reason", e.getMessage())
                        .log("fenced by another agent; this agent stops");
                onFenced.run();
                return;
            } catch (final AgentLog.Unavailable e) {
                if (!stopping) {
                    LOG.atWarn()
                            .addKeyValue("cluster", settings.cluster())
                            .addKeyValue("reason", e.getMessage())
                            .log("Kafka is unavailable; retrying");
                    retryLater(String.valueOf(e.getMessage()));
                }
            } catch (final RuntimeException e) {
                if (!stopping) {
                    LOG.atError()
                            .addKeyValue("cluster", settings.cluster())
                            .setCause(e)
                            .log("internal error; restarting the main loop");
                    retryLater(e.toString());
                }
            }
        }
    }

    /** While Kafka is unavailable no decisions arrive, so control is still checked. */
    private void retryLater(final String reason) {
        problem = reason;
        checkControl();
        pause(RETRY);
    }

    private void checkControl() {
        try {
            control.check();
        } catch (final RuntimeException e) {
            LOG.atError()
                    .addKeyValue("cluster", settings.cluster())
                    .setCause(e)
                    .log("cannot check control of the cluster");
        }
    }

    private void session() {
        final AgentLog.ReplayedState state = log.open();
        observer.restore(state);
        commands.restore(state.begun(), state.answered());
        nextPoll = PollSchedule.NOW;
        problem = "the state of the cluster is not published yet";
        LOG.atInfo()
                .addKeyValue("cluster", settings.cluster())
                .log(
                        "replay finished: {} jobs, {} commands begun and not answered",
                        state.view().jobs().size(),
                        state.begun().size());
        while (!stopping) {
            turn();
            problem = null;
        }
    }

    private void turn() {
        control.keepHeartbeat();
        final List<AgentLog.Incoming> in = log.poll(pollTimeout());
        in.forEach(incoming -> {
            if (incoming instanceof AgentLog.Incoming.PlanReceived received) {
                control.recordPlan(received.plan());
            }
        });
        queueChanged |= commands.process(in);
        if (!clock.instant().isBefore(nextPoll.next(queueChanged, expectsEvents()))) {
            observe();
        }
        observer.heartbeat();
    }

    /** Without event files the agent would see the end of a short job, and start the next one, only after the poll interval. */
    private boolean expectsEvents() {
        return events.hasEvents() || !events.isReceiving() && observer.runsShortJobs();
    }

    private void observe() {
        checkControl();
        final Instant startedAt = clock.instant();
        queueChanged = false;
        events.clear();
        final boolean answered = metrics.observation(() -> observer.observe(commands::includedIn)) != null;
        nextPoll = nextPoll.after(startedAt, clock.instant(), observer.pollDelay(), answered);
    }

    private Duration pollTimeout() {
        if (background.hasFinished() || commands.hasReady()) {
            return Duration.ZERO;
        }
        final Instant now = clock.instant();
        final Instant due = nextPoll.next(queueChanged, expectsEvents());
        if (!due.isAfter(now)) {
            return Duration.ZERO;
        }
        final Duration untilDue = Duration.between(now, due);
        return untilDue.compareTo(LONGEST_POLL) < 0 ? untilDue : LONGEST_POLL;
    }

    private void pause(final Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (final InterruptedException e) {
            stopping = true;
        }
    }

    /** Stops the thread. Background commands are interrupted and recovered after the next start. */
    @Override
    public void close() {
        stopping = true;
        events.close();
        log.wake();
        background.close();
        try {
            thread.join(Duration.ofSeconds(15).toMillis());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        log.close();
    }
}
