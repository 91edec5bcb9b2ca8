package io.millrace.submit.domain.job;

import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.IfLate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates the checkpoint options of a job request. */
record CheckpointValidator(JobRequest.@Nullable Checkpoint requested, ValidationErrors errors) {

    private static final Pattern SIGNAL = Pattern.compile("[A-Z][A-Z0-9]{1,15}");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    CheckpointMethod method() {
        if (requested == null) {
            return new CheckpointMethod.None();
        }
        errors.require("checkpoint.grace", requested.grace());
        final Duration read = errors.read("checkpoint.grace", requested.grace(), WalltimeText::parse);
        final Duration grace = read == null ? Duration.ZERO : read;
        final IfLate ifLate = switch (Objects.requireNonNullElse(requested.ifLate(), "leave")) {
            case "leave" -> IfLate.LEAVE;
            case "wait" -> IfLate.WAIT;
            case "requeue" -> IfLate.REQUEUE;
            default -> errors.add("checkpoint.ifLate", "must be 'leave', 'wait' or 'requeue'", IfLate.LEAVE);
        };
        return switch (Objects.requireNonNullElse(requested.method(), "application")) {
            case "application" -> application(requested, grace, ifLate);
            case "native" -> new CheckpointMethod.Native(grace, ifLate);
            case "criu" -> new CheckpointMethod.Criu(grace, ifLate);
            default ->
                errors.add(
                        "checkpoint.method", "must be 'application', 'native' or 'criu'", new CheckpointMethod.None());
        };
    }

    private CheckpointMethod application(
            final JobRequest.Checkpoint wanted, final Duration grace, final IfLate ifLate) {
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
                || CONTROL.matcher(marker).find()
                || Path.of(marker).normalize().startsWith("..")) {
            return errors.add(
                    "checkpoint.marker",
                    "must be a relative path inside the job's directory",
                    new CheckpointMethod.None());
        }
        return new CheckpointMethod.Application(signal, marker, grace, ifLate);
    }
}
