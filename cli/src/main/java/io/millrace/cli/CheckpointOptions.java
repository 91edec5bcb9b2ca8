package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to save the job before it is preempted. */
final class CheckpointOptions {

    @Option(
            names = "--checkpoint",
            paramLabel = "METHOD",
            description = "checkpoint method: application (default) or native",
            required = false)
    @Nullable
    String method;

    @Option(
            names = "--checkpoint-signal",
            paramLabel = "SIGNAL",
            description = "signal for the application to save its state, for example USR1")
    @Nullable
    String signal;

    @Option(
            names = "--checkpoint-marker",
            paramLabel = "FILE",
            description = "file that the application creates below the working directory when its state is saved")
    @Nullable
    String marker;

    @Option(
            names = "--checkpoint-grace",
            paramLabel = "TIME",
            description = "maximum checkpoint time: minutes, [HH:]MM:SS or PT30S")
    @Nullable
    String grace;

    @Option(
            names = "--checkpoint-on-timeout",
            paramLabel = "WHAT",
            description =
                    "action if the checkpoint takes longer: leave (keep the job running; default), wait or requeue")
    @Nullable
    String onTimeout;

    void putInto(final ObjectNode fields) {
        put(fields, "method", method);
        put(fields, "signal", signal);
        put(fields, "marker", marker);
        put(fields, "grace", grace);
        put(fields, "onTimeout", onTimeout);
    }

    private static void put(final ObjectNode fields, final String field, final @Nullable String value) {
        if (value != null) {
            fields.put(field, value);
        }
    }
}
