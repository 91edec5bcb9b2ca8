package io.millrace.agent.pbs;

import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.util.Optional;

/** Decides whether the state of a job allows Millrace to start it. */
public final class StartCheck {

    private StartCheck() {}

    /** Why a job in this state cannot be started; empty if it waits without a hold, or with an entry hold. */
    public static Optional<String> refusal(final JobState state) {
        return switch (state) {
            case JobState.Held held ->
                held.by() == HoldKind.ENTRY
                        ? Optional.empty()
                        : Optional.of("is held by " + held.by().holder());
            case JobState.Queued queued -> Optional.empty();
            case JobState.Running running -> Optional.of("is already running");
            case JobState.Suspended suspended -> Optional.of("is suspended; resume it instead");
            case JobState.Completing completing -> Optional.of("is completing");
            case JobState.Unsettled unsettled -> Optional.of("has ended");
            case JobState.Unknown unknown -> Optional.of("is in an unknown state: " + unknown.code());
        };
    }
}
