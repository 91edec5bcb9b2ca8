package io.millrace.agent.torque.accounting;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Records which attempt became which job, in a file. The attempt is a variable of the job, and the accounting log does not contain
 * variables. A job is recorded when it is submitted or first observed, while it is still held, and therefore before it can end.
 */
public final class AttemptRegistry {

    private static final Duration KEEP = Duration.ofDays(60);

    private final ClusterId cluster;
    private final Path file;
    private final Map<JobKey, Tagged> known = new LinkedHashMap<>();

    /** @param owner account of the job */
    private record Tagged(AttemptId attempt, UserName owner) {}

    public AttemptRegistry(final ClusterId cluster, final Path file, final Instant now) {
        this.cluster = cluster;
        this.file = file;
        read(now.minus(KEEP));
    }

    public synchronized void record(final JobKey job, final AttemptId attempt, final UserName owner) {
        final Tagged tagged = new Tagged(attempt, owner);
        if (known.put(job, tagged) != null) {
            return;
        }
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, line(job, tagged), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            known.remove(job);
            throw new UncheckedIOException("cannot write " + file + "; the agent must own the file", e);
        }
    }

    synchronized Optional<AttemptId> attempt(final JobKey job) {
        return Optional.ofNullable(known.get(job)).map(Tagged::attempt);
    }

    /**
     * The jobs of these attempts, each with its attempt.
     *
     * @param owners account of the jobs of each attempt
     */
    public synchronized Map<JobKey, AttemptId> jobs(final Map<AttemptId, UserName> owners) {
        final Map<JobKey, AttemptId> jobs = new LinkedHashMap<>();
        known.forEach((job, tagged) -> {
            if (tagged.owner().equals(owners.get(tagged.attempt()))) {
                jobs.put(job, tagged.attempt());
            }
        });
        return jobs;
    }

    private void read(final Instant oldest) {
        try {
            for (final String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                final String[] word = line.split(" ");
                // The last line can be incomplete if the agent was killed while writing.
                if (word.length == 4 && word[3].matches("\\d{1,12}\\.")) {
                    final String time = word[3];
                    final Instant submitted =
                            Instant.ofEpochSecond(Long.parseLong(time.substring(0, time.length() - 1)));
                    if (submitted.isAfter(oldest)) {
                        known.put(
                                new JobKey(new JobId(cluster, word[1]), submitted),
                                new Tagged(AttemptId.of(word[0]), UserName.of(word[2])));
                    }
                }
            }
            final Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(
                    fresh,
                    known.entrySet().stream()
                            .map(entry -> line(entry.getKey(), entry.getValue()))
                            .collect(Collectors.joining()));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (final NoSuchFileException e) {
            known.clear(); // first start of this agent
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read " + file + "; the agent must own the file", e);
        }
    }

    /** The dot at the end marks a complete line. */
    private static String line(final JobKey job, final Tagged tagged) {
        return tagged.attempt() + " " + job.id().local() + " " + tagged.owner() + " "
                + job.submittedAt().getEpochSecond() + ".\n";
    }
}
