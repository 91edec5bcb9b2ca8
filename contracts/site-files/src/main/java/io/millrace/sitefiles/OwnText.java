package io.millrace.sitefiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/** Reads the files of a site. They grant rights and name programs, so a file that every user of the host can change is refused. */
final class OwnText {

    private OwnText() {}

    /** @throws IllegalArgumentException if all users may write the file */
    static String read(final String name, final Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IllegalArgumentException(
                    name + " can be changed by every user of this host; run chmod o-w on it, and check its content");
        }
        return Files.readString(file);
    }
}
