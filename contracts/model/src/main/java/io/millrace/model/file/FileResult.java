package io.millrace.model.file;

import java.time.Instant;
import java.util.List;

/** What the agent found. */
public sealed interface FileResult {

    /**
     * A part of a regular file.
     *
     * @param size length of the file in bytes
     * @param offset of the first byte of the content
     * @param content in Base64
     */
    record Content(long size, Instant modifiedAt, long offset, String content) implements FileResult {}

    /**
     * The entries of a folder, by name.
     *
     * @param more how many entries are left out
     */
    record Listing(List<FileEntry> entries, int more) implements FileResult {
        public Listing {
            entries = List.copyOf(entries);
        }
    }

    /**
     * What a copy of the directory would transfer.
     *
     * @param files number of regular files
     * @param bytes of all of them
     */
    record CopySize(long files, long bytes) implements FileResult {}

    /** The file or folder does not exist. */
    record Missing(String reason) implements FileResult {}

    /** It is not read. */
    record Refused(String reason) implements FileResult {}

    /** The agent has too many requests at the moment, or the file system does not answer. */
    record Busy(String reason) implements FileResult {}
}
