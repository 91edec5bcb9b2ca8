package io.millrace.agent.lsf.history;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.RunOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs that continue under another id. {@code brestart} creates a new job and LSF does not link the two, so the agent keeps a file with one
 * line for each.
 */
public final class ContinuedJobs {

    private final ClusterId cluster;
    private final Path file;
    private final Map<JobKey, RunOutcome.Continued> known = new HashMap<>();

    public ContinuedJobs(final ClusterId cluster, final Path file) {
        this.cluster = cluster;
        this.file = file;
        try {
            if (Files.exists(file)) {
                Files.readAllLines(file).forEach(this::read);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(final String line) {
        final String[] part = line.split(" ", 7);
        if (part.length == 7) { // a line cut off by a crash has fewer parts
            known.put(
                    key(part[0], part[1]),
                    new RunOutcome.Continued(
                            key(part[2], part[3]),
                            new CheckpointTaken("native", part[6], instant(part[4]), instant(part[5]))));
        }
    }

    public synchronized void add(final JobKey from, final RunOutcome.Continued to) {
        final String line = String.join(
                        " ",
                        from.id().local(),
                        seconds(from.submittedAt()),
                        to.continuedAs().id().local(),
                        seconds(to.continuedAs().submittedAt()),
                        seconds(to.checkpoint().requestedAt()),
                        seconds(to.checkpoint().savedAt()),
                        to.checkpoint().location())
                + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        known.put(from, to);
    }

    synchronized Optional<RunOutcome> of(final JobKey job) {
        return Optional.ofNullable(known.get(job));
    }

    private JobKey key(final String id, final String submitted) {
        return new JobKey(new JobId(cluster, id), instant(submitted));
    }

    private static Instant instant(final String seconds) {
        return Instant.ofEpochSecond(Long.parseLong(seconds));
    }

    private static String seconds(final Instant time) {
        return Long.toString(time.getEpochSecond());
    }
}
