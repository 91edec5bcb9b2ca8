package io.millrace.agent.control;

import io.millrace.agent.AgentSettings;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.cluster.Control;
import io.millrace.model.policy.PlanClosed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches the cluster between directed and native control.
 *
 * <p>A cluster that went native becomes directed again after its deciders have been active for {@code directedAfter}. An embedded cluster
 * goes native if its deciders are inactive for {@code deciderTimeout}; on other clusters a separate watchdog does that when the
 * heartbeat file is too old.
 *
 * <p>Control never changes while a command changes the queue, in the foreground or in the background: during a reclaim, native control
 * would let the local scheduler restart the victims on the cores of the beneficiary. The switch waits until the command has finished.
 * For the same reason the heartbeat file is kept fresh meanwhile, so that the watchdog waits as well.
 */
public final class ControlSwitch {

    private static final Logger LOG = LoggerFactory.getLogger(ControlSwitch.class);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

    private final AgentSettings settings;
    private final @Nullable ControlSwitching controlled;
    private final boolean embedded;
    private final BooleanSupplier queueIsChanging;
    private final Clock clock;
    private Instant newestPlan = Instant.MIN;
    private Instant lastPlanAt;
    private Instant heartbeatAt = Instant.MIN;
    private @Nullable Instant activeSince;
    private volatile @Nullable String problem;

    /**
     * @param embedded whether the workload manager runs in this process, without a watchdog
     * @param queueIsChanging whether a command that changes the queue is being executed
     */
    public ControlSwitch(
            final AgentSettings settings,
            final WorkloadManager wlm,
            final boolean embedded,
            final BooleanSupplier queueIsChanging,
            final Clock clock) {
        this.settings = settings;
        this.controlled = wlm.find(ControlSwitching.class) instanceof ControlSwitching able ? able : null;
        this.embedded = embedded;
        this.queueIsChanging = queueIsChanging;
        this.clock = clock;
        this.lastPlanAt = clock.instant();
    }

    /** Takes a sign that the deciders are active. Plans may arrive twice; only a newer one counts. */
    public void recordPlan(final PlanClosed plan) {
        if (!plan.decidedAt().isAfter(newestPlan)) {
            return;
        }
        newestPlan = plan.decidedAt();
        lastPlanAt = clock.instant();
        if (activeSince == null) {
            activeSince = lastPlanAt;
        }
        writeHeartbeat(lastPlanAt);
    }

    /** Refreshes the heartbeat file if a command is changing the queue; cheap enough for every turn of the agent. */
    public void keepHeartbeat() {
        final Instant now = clock.instant();
        if (!heartbeatAt.plus(HEARTBEAT_INTERVAL).isAfter(now) && queueIsChanging.getAsBoolean()) {
            writeHeartbeat(now);
        }
    }

    private void writeHeartbeat(final Instant now) {
        heartbeatAt = now;
        final Path file = settings.heartbeatFile();
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, lastPlanAt + "\n");
        } catch (final IOException e) {
            LOG.atWarn()
                    .addKeyValue("cluster", settings.cluster())
                    .addKeyValue("reason", e.toString())
                    .log(
                            "cannot write heartbeat file {}, so the watchdog will switch to native control; check"
                                    + " millrace.agent.heartbeat-file",
                            file);
        }
    }

    /** Why the last switch of control failed, with the remedy; null if control is as configured, or need not change. */
    public @Nullable String problem() {
        return problem;
    }

    /** Changes control if it has to change and no command is changing the queue. */
    public void check() {
        keepHeartbeat();
        final Instant now = clock.instant();
        final boolean silent = lastPlanAt.plus(settings.deciderTimeout()).isBefore(now);
        if (silent) {
            activeSince = null;
        }
        if (controlled == null || queueIsChanging.getAsBoolean()) {
            return;
        }
        if (controlled.control() instanceof Answer.Ok<Control> is) {
            final Control wanted = wanted(is.value(), silent, now);
            if (wanted != is.value() || (wanted == settings.control() && controlled.isPartial())) {
                switchTo(controlled, wanted, silent);
            } else {
                problem = null;
            }
        }
    }

    private Control wanted(final Control is, final boolean silent, final Instant now) {
        if (settings.control() == Control.NATIVE) {
            return Control.NATIVE;
        }
        if (silent) {
            return embedded ? Control.NATIVE : is;
        }
        return activeSince != null && activeSince.plus(settings.directedAfter()).isBefore(now) ? Control.DIRECTED : is;
    }

    private void switchTo(final ControlSwitching able, final Control wanted, final boolean silent) {
        final String cause = silent ? "no plan of a decider since " + lastPlanAt : "as configured";
        switch (able.control(wanted)) {
            case Answer.Ok<Accepted> ok -> {
                problem = null;
                LOG.atWarn()
                        .addKeyValue("cluster", settings.cluster())
                        .addKeyValue("decision", wanted)
                        .addKeyValue("reason", cause)
                        .log("switched control");
            }
            case Answer.Trouble<Accepted> trouble -> failed(wanted, trouble.reason());
        }
    }

    /** A reason is logged once. */
    private void failed(final Control wanted, final String reason) {
        final String now = "cannot switch to " + wanted.name().toLowerCase(Locale.ROOT) + " control: " + reason
                + "; the agent needs the rights of an administrator of the workload manager (guide 'Workload"
                + " managers')";
        if (!now.equals(problem)) {
            LOG.atWarn()
                    .addKeyValue("cluster", settings.cluster())
                    .addKeyValue("decision", wanted)
                    .addKeyValue("reason", reason)
                    .log("cannot switch control");
        }
        problem = now;
    }
}
