package io.millrace.agent.openpbs;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which attempt became which job, for as long as anybody asks: the tag is a variable of the job, and the accounting log does not know
 * variables. A job is written down when it is handed in or first seen, while it is still held; so no end can come before.
 */
final class AttemptRegistry {

    private static final Duration KEEP = Duration.ofDays(60);

    private final ClusterId cluster;
    private final Path file;
    private final Map<JobKey, AttemptId> known = new LinkedHashMap<>();

    AttemptRegistry(final ClusterId cluster, final Path file, final Instant now) {
        this.cluster = cluster;
        this.file = file;
        read(now.minus(KEEP));
    }

    synchronized void record(final JobKey job, final AttemptId attempt) {
        if (known.put(job, attempt) != null) {
            return;
        }
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, line(job, attempt), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            known.remove(job);
            throw new UncheckedIOException("cannot write " + file + ": it must be the agent's own file", e);
        }
    }

    synchronized Optional<AttemptId> attempt(final JobKey job) {
        return Optional.ofNullable(known.get(job));
    }

    synchronized List<JobKey> jobs(final AttemptId attempt) {
        return known.entrySet().stream()
                .filter(entry -> entry.getValue().equals(attempt))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void read(final Instant oldest) {
        try {
            for (final String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                final String[] word = line.split(" ");
                // The last line of an agent that was killed while it wrote may be cut.
                if (word.length == 3 && word[2].matches("\\d{1,12}\\.")) {
                    final Instant submitted =
                            Instant.ofEpochSecond(Long.parseLong(word[2].substring(0, word[2].length() - 1)));
                    if (submitted.isAfter(oldest)) {
                        known.put(new JobKey(new JobId(cluster, word[1]), submitted), AttemptId.of(word[0]));
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
            known.clear(); // the first start of this agent
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": it must be the agent's own file", e);
        }
    }

    /** The dot at its end says that the line is whole. */
    private static String line(final JobKey job, final AttemptId attempt) {
        return attempt + " " + job.id().local() + " " + job.submittedAt().getEpochSecond() + ".\n";
    }
}
