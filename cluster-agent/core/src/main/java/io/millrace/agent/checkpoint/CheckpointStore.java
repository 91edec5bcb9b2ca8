package io.millrace.agent.checkpoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.millrace.agent.domain.RunSettlement;
import io.millrace.agent.run.WorkDirectories;
import io.millrace.agent.session.DiskFile;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints of runs that have not been published as ended yet. Each is written to a file before the job is requeued, so that the checkpoint
 * and the remaining walltime are known after a crash.
 */
public final class CheckpointStore {

    /**
     * @param continuedAs the key under which the job continues; null: the same
     * @param walltime limit of the next run; null: unchanged
     */
    public record Entry(
            JobKey job,
            int run,
            CheckpointTaken checkpoint,
            @Nullable JobKey continuedAs,
            @Nullable Duration walltime) {

        /** The key under which it waits for its next run. */
        public JobKey next() {
            return continuedAs == null ? job : continuedAs;
        }

        Entry under(final JobKey key) {
            return new Entry(job, run, checkpoint, key.equals(job) ? null : key, walltime);
        }
    }

    private final Path folder;
    private final ObjectMapper json = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .build();
    private final Map<JobKey, Entry> entries = new ConcurrentHashMap<>();

    /** @param folder created if missing */
    public CheckpointStore(final Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            try (Stream<Path> files = Files.list(folder)) {
                final List<Path> all =
                        files.filter(file -> file.toString().endsWith(".json")).toList();
                for (final Path file : all) {
                    final Entry entry = json.readValue(file.toFile(), Entry.class);
                    entries.put(entry.job(), entry);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read the checkpoints in " + folder, e);
        }
    }

    public void put(final Entry entry) {
        try {
            DiskFile.write(file(entry.job()), json.writeValueAsBytes(entry));
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot record the checkpoint of " + entry.job(), e);
        }
        entries.put(entry.job(), entry);
    }

    /** A copy of all entries. */
    public Map<JobKey, Entry> entries() {
        return Map.copyOf(entries);
    }

    public void remove(final JobKey job) {
        if (entries.remove(job) == null) {
            return;
        }
        try {
            Files.deleteIfExists(file(job));
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot delete the checkpoint record of " + job, e);
        }
    }

    /** By job, as the settlement of ends needs them. */
    public Map<JobKey, RunSettlement.TakenCheckpoint> all() {
        final Map<JobKey, RunSettlement.TakenCheckpoint> all = new HashMap<>();
        entries.values()
                .forEach(entry -> all.put(
                        entry.job(),
                        new RunSettlement.TakenCheckpoint(entry.run(), entry.checkpoint(), entry.continuedAs())));
        return all;
    }

    private Path file(final JobKey job) {
        return folder.resolve(WorkDirectories.of(folder, job.toString()).getFileName() + ".json");
    }
}
