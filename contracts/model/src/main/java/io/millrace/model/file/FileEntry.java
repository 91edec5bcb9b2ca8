package io.millrace.model.file;

import java.time.Instant;

/**
 * An entry of a folder.
 *
 * @param size in bytes
 */
public record FileEntry(String name, Type type, long size, Instant modifiedAt) {

    /** The type of an entry; links are not followed. */
    public enum Type {
        FILE,
        FOLDER,
        LINK,
        /** A device, a pipe or a socket, which are never read. */
        OTHER
    }
}
