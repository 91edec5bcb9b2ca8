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
 * The agent's one thread: replay, then commands, looks and results in turn. When the log is lost it begins anew with a replay; when
 * another agent has taken over it ends.
 */
public final class Agent implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);

    private final AgentSettings settings;
    private final AgentLog log;
    private final CommandProcessor commands;
    private final ClusterObserver observer;
    private final ControlSwitch control;
    private final BackgroundCommands background;
    private final EventFileWatcher news;
    private final AgentMetrics counts;
    private final Clock clock;
    private final Runnable whenTakenOver;
    private final Thread thread = Thread.ofPlatform().name("agent").unstarted(this::live);
    private volatile boolean stopping;
    private volatile @Nullable String trouble = "not connected to the log yet";
    private PollSchedule nextLook = PollSchedule.NOW;

    Agent(
            final AgentSettings settings,
            final AgentLog log,
            final CommandProcessor commands,
            final ClusterObserver observer,
            final ControlSwitch control,
            final BackgroundCommands background,
            final EventFileWatcher news,
            final AgentMetrics counts,
            final Clock clock,
            final Runnable whenTakenOver) {
        this.settings = settings;
        this.log = log;
        this.commands = commands;
        this.observer = observer;
        this.control = control;
        this.background = background;
        this.news = news;
        this.counts = counts;
        this.clock = clock;
        this.whenTakenOver = whenTakenOver;
    }

    public void start() {
        news.start();
        thread.start();
    }

    /** Why the agent does nothing at the moment; null if it is at work. */
    public @Nullable String trouble() {
        return trouble;
    }

    /** How the workload manager has answered lately. */
    public WlmStatus wlmStatus() {
        return observer.status();
    }

    /** What tells of happenings at the workload manager, and how that goes. */
    public Map<String, String> newsSources() {
        return news.sources();
    }

    private void live() {
        while (!stopping) {
            try {
                session();
            } catch (final AgentLog.TakenOver e) {
                trouble = e.getMessage();
                LOG.error("{}; this agent of '{}' ends", e.getMessage(), settings.cluster());
                whenTakenOver.run();
                return;
            } catch (final AgentLog.Lost e) {
                if (!stopping) {
                    LOG.warn("the agent of '{}' begins anew: {}", settings.cluster(), e.getMessage());
                    beginAnew(String.valueOf(e.getMessage()));
                }
            } catch (final RuntimeException e) {
                if (!stopping) {
                    LOG.error("the agent of '{}' begins anew", settings.cluster(), e);
                    beginAnew(e.toString());
                }
            }
        }
    }

    /** Without the log nobody's decisions arrive either: the watch over control goes on meanwhile. */
    private void beginAnew(final String because) {
        trouble = because;
        lookAtControl();
        pause(RETRY);
    }

    private void lookAtControl() {
        try {
            control.look();
        } catch (final RuntimeException e) {
            LOG.error("control over '{}' cannot be looked at", settings.cluster(), e);
        }
    }

    private void session() {
        final AgentLog.Memory memory = log.open();
        observer.resume(memory);
        commands.resume(memory.begun(), memory.answered());
        nextLook = PollSchedule.NOW;
        trouble = null;
        LOG.info(
                "the agent of '{}' has read its log back: {} jobs, {} commands begun and not answered",
                settings.cluster(),
                memory.view().jobs().size(),
                memory.begun().size());
        while (!stopping) {
            turn();
        }
    }

    private void turn() {
        final List<AgentLog.Incoming> in = log.poll(patience());
        boolean acted = commands.answerFinished();
        in.forEach(incoming -> {
            if (incoming instanceof AgentLog.Incoming.SignOfLife sign) {
                control.hear(sign.plan());
            }
        });
        acted |= commands.take(in);
        if (acted || !clock.instant().isBefore(nextLook.at(news.hasCome()))) {
            look();
        }
        observer.heartbeat();
    }

    private void look() {
        lookAtControl();
        final Instant began = clock.instant();
        news.taken();
        final boolean answered = counts.observation(() -> observer.observe(commands::includedIn)) != null;
        nextLook = PollSchedule.after(began, clock.instant(), observer.pause(), answered);
    }

    private Duration patience() {
        if (background.hasFinished()) {
            return Duration.ZERO;
        }
        final Instant now = clock.instant();
        final Instant look = nextLook.at(news.hasCome());
        if (!look.isAfter(now)) {
            return Duration.ZERO;
        }
        final Duration untilLook = Duration.between(now, look);
        return untilLook.compareTo(LONGEST_POLL) < 0 ? untilLook : LONGEST_POLL;
    }

    private void pause(final Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (final InterruptedException e) {
            stopping = true;
        }
    }

    /** Ends the thread; commands that take long are left to the next life. */
    @Override
    public void close() {
        stopping = true;
        news.close();
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
