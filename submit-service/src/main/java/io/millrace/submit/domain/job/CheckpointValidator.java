package io.millrace.submit.domain.job;

import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.IfLate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a job says that it can be checkpointed. */
record CheckpointValidator(JobRequest.@Nullable Checkpoint wanted, ValidationErrors wrong) {

    private static final Pattern SIGNAL = Pattern.compile("[A-Z][A-Z0-9]{1,15}");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    CheckpointMethod method() {
        if (wanted == null) {
            return new CheckpointMethod.None();
        }
        wrong.need("checkpoint.grace", wanted.grace());
        final Duration read = wrong.read("checkpoint.grace", wanted.grace(), WalltimeText::parse);
        final Duration grace = read == null ? Duration.ZERO : read;
        final IfLate ifLate = switch (Objects.requireNonNullElse(wanted.ifLate(), "leave")) {
            case "leave" -> IfLate.LEAVE;
            case "wait" -> IfLate.WAIT;
            case "requeue" -> IfLate.REQUEUE;
            default -> wrong.no("checkpoint.ifLate", "must be leave, wait or requeue", IfLate.LEAVE);
        };
        return switch (Objects.requireNonNullElse(wanted.method(), "application")) {
            case "application" -> application(wanted, grace, ifLate);
            case "native" -> new CheckpointMethod.Native(grace, ifLate);
            case "criu" -> new CheckpointMethod.Criu(grace, ifLate);
            default ->
                wrong.no("checkpoint.method", "must be application, native or criu", new CheckpointMethod.None());
        };
    }

    private CheckpointMethod application(final JobRequest.Checkpoint wanted, final Duration grace, final IfLate ifLate) {
        final String signal = wanted.signal();
        final String marker = wanted.marker();
        if (signal == null || !SIGNAL.matcher(signal).matches()) {
            return wrong.no(
                    "checkpoint.signal",
                    "must be a signal's name without SIG, such as USR1",
                    new CheckpointMethod.None());
        }
        if (marker == null
                || marker.isBlank()
                || marker.startsWith("/")
                || CONTROL.matcher(marker).find()
                || Path.of(marker).normalize().startsWith("..")) {
            return wrong.no(
                    "checkpoint.marker", "must be a file name below the job's directory", new CheckpointMethod.None());
        }
        return new CheckpointMethod.Application(signal, marker, grace, ifLate);
    }
}
