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
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears whether anybody still decides for this cluster. A cluster that went native while Millrace was silent becomes directed again once
 * the deciders have been heard for a while; an embedded one, which no watchdog stands beside, goes native here.
 */
public final class ControlSwitch {

    private static final Logger LOG = LoggerFactory.getLogger(ControlSwitch.class);

    private final AgentSettings settings;
    private final @Nullable ControlSwitching controlled;
    private final boolean embedded;
    private final Clock clock;
    private Instant newestPlan = Instant.MIN;
    private Instant heard;
    private @Nullable Instant heardSince;

    /** @param embedded whether this process is the workload manager, so that nobody else can watch over it */
    public ControlSwitch(
            final AgentSettings settings, final WorkloadManager wlm, final boolean embedded, final Clock clock) {
        this.settings = settings;
        this.controlled = wlm instanceof ControlSwitching able ? able : null;
        this.embedded = embedded;
        this.clock = clock;
        this.heard = clock.instant();
    }

    /** A decider has looked at this cluster. */
    public void hear(final PlanClosed plan) {
        if (!plan.decidedAt().isAfter(newestPlan)) {
            return;
        }
        newestPlan = plan.decidedAt();
        heard = clock.instant();
        if (heardSince == null) {
            heardSince = heard;
        }
        final Path file = settings.heartbeatFile();
        if (file != null) {
            touch(file);
        }
    }

    private void touch(final Path file) {
        try {
            // Written, not only touched: an empty heartbeat file says nothing to the operator who looks at it.
            Files.writeString(file, heard + "\n");
        } catch (final IOException e) {
            LOG.warn(
                    "cannot touch {} ({}), so the watchdog will take Millrace for silent; see millrace.agent.heartbeat-file",
                    file,
                    e.toString());
        }
    }

    /** Looks whether control has to change; called between looks at the cluster, never while orders are carried out. */
    public void look() {
        final Instant now = clock.instant();
        final boolean silent = heard.plus(settings.silence()).isBefore(now);
        if (silent) {
            heardSince = null;
        }
        if (controlled == null || !(controlled.control() instanceof Answer.Ok<Control> is)) {
            return;
        }
        final Control wanted = wanted(is.value(), silent, now);
        if (wanted != is.value()) {
            switchTo(controlled, wanted, silent);
        }
    }

    private Control wanted(final Control is, final boolean silent, final Instant now) {
        if (settings.control() == Control.NATIVE) {
            return Control.NATIVE;
        }
        if (silent) {
            return embedded ? Control.NATIVE : is;
        }
        return heardSince != null && heardSince.plus(settings.back()).isBefore(now) ? Control.DIRECTED : is;
    }

    private void switchTo(final ControlSwitching able, final Control wanted, final boolean silent) {
        switch (able.control(wanted)) {
            case Answer.Ok<Accepted> ok ->
                LOG.warn(
                        "cluster '{}' is under {} control now: {}",
                        settings.cluster(),
                        wanted,
                        silent ? "no decider was heard since " + heard : "as configured");
            case Answer.Trouble<Accepted> trouble ->
                LOG.warn(
                        "cluster '{}' cannot be put under {} control: {}",
                        settings.cluster(),
                        wanted,
                        trouble.because());
        }
    }

    /** When the deciders were heard last; the agent's own start if they were not yet. */
    Instant heard() {
        return heard;
    }
}
