package io.millrace.agent.history;

import io.millrace.model.JobKey;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Messages about one accounting file: malformed lines with their numbers, and runs without a user. */
final class FileReport {

    private final Path file;
    private final PrintStream err;
    private final long mostMalformed;
    private long lines;
    private long malformed;
    private long withoutUser;
    private @Nullable JobKey firstWithoutUser;

    /** @param mostMalformed number of malformed lines that are reported one by one */
    FileReport(final Path file, final PrintStream err, final long mostMalformed) {
        this.file = file;
        this.err = err;
        this.mostMalformed = mostMalformed;
    }

    void nextLine() {
        lines++;
    }

    long lines() {
        return lines;
    }

    void malformed(final @Nullable String reason) {
        malformed++;
        if (malformed <= mostMalformed) {
            err.println(file + ":" + lines + ": " + reason);
        }
    }

    /** A run of this job was added. */
    void withoutUser(final JobKey job) {
        withoutUser++;
        firstWithoutUser = firstWithoutUser == null ? job : firstWithoutUser;
    }

    /** Reports what was counted. */
    void close() {
        if (malformed > mostMalformed) {
            err.println(file + ": " + (malformed - mostMalformed) + " more malformed lines");
        }
        if (firstWithoutUser != null) {
            err.println(file + ": " + withoutUser + " runs have no user, the first is of job "
                    + firstWithoutUser.id().local() + "; they are imported as runs of user '_'");
        }
    }
}
