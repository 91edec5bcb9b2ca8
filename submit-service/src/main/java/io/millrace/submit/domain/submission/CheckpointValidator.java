package io.millrace.submit.domain.submission;

import io.millrace.model.Text;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.script.WalltimeText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates the checkpoint options of a job request. */
record CheckpointValidator(JobRequest.@Nullable Checkpoint requested, ValidationErrors errors) {

    private static final Pattern SIGNAL = Pattern.compile("[A-Z][A-Z0-9]{1,15}");

    CheckpointMethod method() {
        if (requested == null) {
            return new CheckpointMethod.None();
        }
        errors.require("checkpoint.grace", requested.grace());
        final Duration read = errors.read("checkpoint.grace", requested.grace(), WalltimeText::parse);
        final Duration grace = read == null ? Duration.ZERO : read;
        final CheckpointTimeoutAction onTimeout = switch (Objects.requireNonNullElse(requested.onTimeout(), "leave")) {
            case "leave" -> CheckpointTimeoutAction.LEAVE;
            case "wait" -> CheckpointTimeoutAction.WAIT;
            case "requeue" -> CheckpointTimeoutAction.REQUEUE;
            default ->
                errors.add(
                        "checkpoint.onTimeout", "must be 'leave', 'wait' or 'requeue'", CheckpointTimeoutAction.LEAVE);
        };
        return switch (Objects.requireNonNullElse(requested.method(), "application")) {
            case "application" -> application(requested, grace, onTimeout);
            case "native" -> new CheckpointMethod.Native(grace, onTimeout);
            default ->
                errors.add("checkpoint.method", "must be 'application' or 'native'", new CheckpointMethod.None());
        };
    }

    private CheckpointMethod application(
            final JobRequest.Checkpoint wanted, final Duration grace, final CheckpointTimeoutAction onTimeout) {
        final String signal = wanted.signal();
        final String marker = wanted.marker();
        if (signal == null || !SIGNAL.matcher(signal).matches()) {
            return errors.add(
                    "checkpoint.signal",
                    "must be a signal name without SIG, such as USR1",
                    new CheckpointMethod.None());
        }
        if (marker == null
                || marker.isBlank()
                || marker.startsWith("/")
                || !Text.isPlain(marker)
                || Path.of(marker).normalize().startsWith("..")) {
            return errors.add(
                    "checkpoint.marker",
                    "must be a relative path inside the job's directory",
                    new CheckpointMethod.None());
        }
        return new CheckpointMethod.Application(signal, marker, grace, onTimeout);
    }
}
