package io.millrace.submit.domain.submission;

import io.millrace.model.job.JobSpec;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The size of the texts that each record about a job repeats, in bytes of UTF-8. A variable or argument counts {@value #EACH} bytes more, because a
 * process that reads the job needs these for the shortest one.
 */
public final class SubmissionSize {

    static final int EACH = 32;

    private SubmissionSize() {}

    /** Script, make step, variables and arguments of one job. */
    public static long of(final JobSpec spec) {
        long bytes = bytes(spec.script()) + bytes(spec.make());
        for (final var variable : spec.environment().entrySet()) {
            bytes += bytes(variable.getKey()) + bytes(variable.getValue()) + EACH;
        }
        if (spec.arguments() != null) {
            for (final String argument : spec.arguments()) {
                bytes += bytes(argument) + EACH;
            }
        }
        return bytes;
    }

    static long bytes(final @Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
