package io.millrace.agent.lsf.observe;

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
 * What the agent must remember about jobs. LSF cannot store it: an owner can change every attribute of a job. There is one small file for
 * each job, {@code <id>@<submitted>}, in a directory of the agent. The watchdog reads the files too.
 */
public final class JobNotes {

    /** A note is deleted when its job has been missing for this time; mbatchd may be restarting. */
    private static final Duration KEEP = Duration.ofHours(2);

    private final Path folder;
    private final Map<String, JobNote> known = new HashMap<>();
    private final Map<String, Instant> missedSince = new HashMap<>();

    public JobNotes(final Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            load();
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot create " + folder
                            + "; set millrace.agent.lsf.state-dir to a directory that the agent can write",
                    e);
        }
    }

    public synchronized Optional<JobNote> of(final JobKey job) {
        return Optional.ofNullable(known.get(name(job)));
    }

    public synchronized void write(final JobKey job, final JobNote note) {
        DiskFile.write(folder.resolve(name(job)), note.line().getBytes(StandardCharsets.UTF_8));
        known.put(name(job), note);
    }

    public synchronized void remove(final JobKey job) {
        remove(name(job));
    }

    /** Deletes the notes of jobs that no longer exist. */
    public synchronized void keepOnly(final Collection<JobKey> present, final Instant now) {
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

    /** Loads the notes written before a restart of the agent. */
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
