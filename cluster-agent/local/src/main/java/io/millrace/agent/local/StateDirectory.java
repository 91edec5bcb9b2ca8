package io.millrace.agent.local;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.millrace.agent.exec.Account;
import io.millrace.agent.session.DiskFile;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.ScriptText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cluster's state on disk: {@code control}, and {@code jobs/<id>/} with {@code job.json}, {@code script} and one directory per run.
 * Every file is written to a temporary file, synced and renamed, so a reader sees either the old or the new version. Only {@code events},
 * with a line for each run that ended or that started without a command, is appended to.
 */
final class StateDirectory {

    private static final int MAX_EVENTS_BYTES = 64 * 1024;

    private final Path root;
    private final ObjectMapper json = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .addMixIn(LocalJob.State.class, Tagged.class)
            .addMixIn(RunOutcome.class, Tagged.class)
            .addMixIn(CheckpointMethod.class, Tagged.class)
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Tagged {}

    StateDirectory(final Path root) {
        this.root = root;
        for (final Class<?> family : List.of(LocalJob.State.class, RunOutcome.class, CheckpointMethod.class)) {
            for (final Class<?> member : family.getPermittedSubclasses()) {
                json.registerSubtypes(new NamedType(member, member.getSimpleName()));
            }
        }
        folder(root, "rwx--x--x");
        folder(root.resolve("jobs"), "rwx--x--x");
    }

    /**
     * Locks the directory until the channel is closed or this process ends.
     *
     * @throws IllegalStateException if another process uses this directory
     */
    FileChannel lock() {
        try {
            final Path file = root.resolve("lock");
            final FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            // A user who can read it could lock it.
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            if (channel.tryLock() == null) {
                channel.close();
                throw new IllegalStateException(
                        "state directory " + root
                                + " is in use by another agent; stop it, or set millrace.agent.local.state-dir to another directory");
            }
            return channel;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All jobs, ordered by id. */
    List<LocalJob> jobs() {
        try (Stream<Path> folders = Files.list(root.resolve("jobs"))) {
            final List<LocalJob> jobs = new ArrayList<>();
            for (final Path folder : folders.sorted(Comparator.comparingLong(StateDirectory::number))
                    .toList()) {
                final Path file = folder.resolve("job.json");
                // The file is missing if the agent died during a submission that it had not answered.
                if (Files.exists(file)) {
                    jobs.add(json.readValue(file.toFile(), LocalJob.class));
                }
            }
            return jobs;
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read the state directory " + root, e);
        }
    }

    /** The highest job id on disk. */
    long lastId() {
        try (Stream<Path> folders = Files.list(root.resolve("jobs"))) {
            return folders.mapToLong(StateDirectory::number).max().orElse(0);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(final LocalJob job) {
        try {
            DiskFile.write(folderOf(job).resolve("job.json"), json.writeValueAsBytes(job));
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write " + folderOf(job), e);
        }
    }

    /** @param runsAs the account that executes the script; empty for the agent's own */
    void writeNew(final LocalJob job, final String script, final Optional<Account> runsAs) {
        try {
            folder(folderOf(job), "rwx--x--x");
            final Path file = script(job);
            DiskFile.write(file, ScriptText.bytes(script), "rwx------");
            if (runsAs.isPresent()) {
                Files.setAttribute(file, "unix:uid", runsAs.get().uid());
                Files.setAttribute(file, "unix:gid", runsAs.get().gid());
            }
            write(job);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write " + folderOf(job), e);
        }
    }

    void remove(final LocalJob job) {
        try (Stream<Path> files = Files.walk(folderOf(job))) {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<Control> control() {
        final Path file = root.resolve("control");
        try {
            return Files.exists(file)
                    ? Optional.of(Control.valueOf(Files.readString(file).strip()))
                    : Optional.empty();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void control(final Control control) {
        DiskFile.write(root.resolve("control"), (control + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Appends an event; an old file is begun again. */
    void announce() {
        final Path file = root.resolve("events");
        try {
            final boolean isOld = Files.exists(file) && Files.size(file) > MAX_EVENTS_BYTES;
            Files.writeString(
                    file,
                    "changed\n",
                    StandardOpenOption.CREATE,
                    isOld ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    Path script(final LocalJob job) {
        return folderOf(job).resolve("script");
    }

    Path run(final LocalJob job, final int number) {
        return folderOf(job).resolve("run-" + number);
    }

    private Path folderOf(final LocalJob job) {
        return root.resolve("jobs").resolve(job.key().id().local());
    }

    private static long number(final Path folder) {
        return Long.parseLong(folder.getFileName().toString());
    }

    private static void folder(final Path path, final String permissions) {
        try {
            Files.createDirectories(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot create " + path + "; set local.state-dir to a directory that the agent owns", e);
        }
    }
}
