package io.millrace.submit.handlers;

import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.domain.usage.SwfNames;
import io.millrace.submit.handlers.UsagePosition.Written;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder of usage record files. Each run is written exactly once, also across crashes: lines are appended first, then the position file
 * is replaced atomically. It contains the length of each file and the next offsets. At the next start, content beyond a recorded length is
 * truncated and written again from the log.
 */
public final class UsageFolder implements AutoCloseable {

    /** Usage of other people is personal data: only the service and the folder's group, such as the accounting department, read it. */
    static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rw-r-----");

    private static final Set<StandardOpenOption> WRITTEN = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);

    private final UsageFileSettings settings;
    private final FileChannel lockFile;
    private UsagePosition position;

    /**
     * A record of the log as the projection reads it.
     *
     * @param run null: an event of another type, which is skipped
     */
    public record Entry(
            String topicName, long offset, @Nullable RunEnded run) {}

    private UsageFolder(final UsageFileSettings settings, final FileChannel lockFile, final UsagePosition position) {
        this.settings = settings;
        this.lockFile = lockFile;
        this.position = position;
    }

    /**
     * Locks a folder and truncates incomplete writes of a crash.
     *
     * @throws IOException if the folder cannot be opened, with the remedy
     */
    public static UsageFolder open(final UsageFileSettings settings) throws IOException {
        final Path folder = Files.createDirectories(settings.folder());
        final FileChannel lockFile = lock(folder);
        try {
            final UsageFolder usage = new UsageFolder(settings, lockFile, position(folder));
            usage.truncate();
            return usage;
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static FileChannel lock(final Path folder) throws IOException {
        final FileChannel file =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            final FileLock lock = file.tryLock();
            if (lock != null) {
                return file;
            }
        } catch (OverlappingFileLockException e) {
            // another instance in this process
            file.close();
            throw new IOException(taken(folder), e);
        }
        file.close();
        throw new IOException(taken(folder));
    }

    private static String taken(final Path folder) {
        return "folder " + folder + " is locked by another instance; waiting";
    }

    private static UsagePosition position(final Path folder) throws IOException {
        if (UsagePosition.isIn(folder)) {
            return UsagePosition.read(folder);
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "usage-*")) {
            if (files.iterator().hasNext()) {
                throw new IOException("folder " + folder
                        + " contains usage records but no .position.json; configure an empty folder");
            }
        }
        UsagePosition.BEGINNING.write(folder);
        return UsagePosition.BEGINNING;
    }

    private void truncate() throws IOException {
        for (final Map.Entry<String, Written> file : position.files().entrySet()) {
            final Path path = path(file.getKey());
            if (Files.exists(path) && Files.size(path) != file.getValue().bytes()) {
                append(file.getKey(), file.getValue().bytes(), "");
            }
        }
    }

    private Path path(final String file) {
        return settings.folder().resolve(file);
    }

    /** The next offset by name of the Kafka topic; a missing topic starts at its beginning. */
    public Map<String, Long> next() {
        return Map.copyOf(position.next());
    }

    /**
     * Writes new records and returns after they are on disk.
     *
     * @return number of new runs
     * @throws IOException if writing fails; then none of the records counts as written
     */
    public int write(final List<Entry> entries) throws IOException {
        final Map<String, Long> next = new HashMap<>(position.next());
        final UsageFileText text = new UsageFileText(settings, new SwfNames(position.names()), known());
        int runs = 0;
        for (final Entry entry : entries) {
            if (entry.offset() < next.getOrDefault(entry.topicName(), 0L)) {
                continue;
            }
            next.put(entry.topicName(), entry.offset() + 1);
            if (entry.run() != null) {
                text.add(entry.run());
                runs++;
            }
        }
        final Map<String, Written> files = new LinkedHashMap<>(known());
        for (final UsageFileText.Addition added : text.additions()) {
            append(added.file(), added.before().bytes(), added.text());
            files.put(added.file(), added.after());
        }
        final UsagePosition reached =
                new UsagePosition(next, files, text.names().all());
        reached.write(settings.folder());
        position = reached;
        return runs;
    }

    /** A file that was moved away is created again if a late run belongs to it. */
    private Map<String, Written> known() {
        final Map<String, Written> known = new LinkedHashMap<>(position.files());
        known.keySet().removeIf(file -> Files.notExists(path(file)));
        return known;
    }

    /** Truncates the file to its recorded length, then appends. */
    private void append(final String file, final long length, final String text) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path(file), WRITTEN, PosixFilePermissions.asFileAttribute(PERMISSIONS))) {
            Files.setPosixFilePermissions(
                    path(file), PERMISSIONS); // despite the umask, and of files of earlier versions
            if (channel.size() < length) {
                throw new IOException(path(file) + " has " + channel.size() + " bytes, but " + length
                        + " were written, so it was modified; restore the file or move it out of the folder");
            }
            channel.truncate(length);
            channel.position(length);
            final ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
