package io.millrace.agent.lsf;

import io.millrace.agent.session.DiskFile;
import io.millrace.model.JobKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the agent must remember about jobs and LSF cannot keep for it: everything that can be written into a job, its owner can rewrite.
 * One small file for each job, {@code <id>@<submitted>}, in a folder of the agent's own; the watchdog reads them, too.
 */
final class JobNotes {

    /** A job must have been gone for so long before its note is thrown away: mbatchd may have been restarting. */
    private static final Duration KEEP = Duration.ofHours(2);

    private final Path folder;
    private final Map<String, JobNote> known = new HashMap<>();
    private final Map<String, Instant> missedSince = new HashMap<>();

    JobNotes(final Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            load();
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot make " + folder + "; set millrace.agent.lsf.state-dir to a folder the agent owns", e);
        }
    }

    synchronized Optional<JobNote> of(final JobKey job) {
        return Optional.ofNullable(known.get(name(job)));
    }

    synchronized void write(final JobKey job, final JobNote note) {
        DiskFile.write(folder.resolve(name(job)), note.line().getBytes(StandardCharsets.UTF_8));
        known.put(name(job), note);
    }

    synchronized void remove(final JobKey job) {
        remove(name(job));
    }

    /** Throws away what was noted about jobs that are gone for good. */
    synchronized void keepOnly(final Collection<JobKey> present, final Instant now) {
        final Set<String> names = present.stream().map(JobNotes::name).collect(Collectors.toSet());
        missedSince.keySet().removeAll(names);
        for (final String name : Set.copyOf(known.keySet())) {
            if (!names.contains(name)
                    && missedSince
                            .computeIfAbsent(name, fresh -> now)
                            .plus(KEEP)
                            .isBefore(now)) {
                remove(name);
                missedSince.remove(name);
            }
        }
    }

    private void remove(final String name) {
        known.remove(name);
        try {
            Files.deleteIfExists(folder.resolve(name));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an earlier life of the agent has noted. */
    private void load() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path file : files.toList()) {
                JobNote.read(Files.readString(file))
                        .ifPresent(note -> known.put(file.getFileName().toString(), note));
            }
        }
    }

    private static String name(final JobKey job) {
        return job.id().local() + "@" + job.submittedAt().getEpochSecond();
    }
}
