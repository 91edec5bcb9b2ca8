package io.millrace.agent.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files atomically: to a temporary file, synced to disk, then renamed. After a crash the file has the old or the new content. */
public final class DiskFile {

    private DiskFile() {}

    /** Writes {@code file}, accessible to the agent only. */
    public static void write(final Path file, final byte[] content) {
        write(file, content, "rw-------");
    }

    /** @param rights permissions of the file, set before the rename, e.g. {@code rwxr-xr-x} */
    public static void write(final Path file, final byte[] content, final String rights) {
        final Path aside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(aside);
            Files.createFile(aside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                final ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString(rights));
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
