package io.millrace.agent.wlm;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** Who the tests' jobs belong to, and where they run: as root {@code nobody}, else whoever runs the tests. Gone when closed. */
public final class JobDirectory implements AutoCloseable {

    private final Accounts accounts = new Accounts();
    private final Account owner;
    private final Path root;
    private Path latest;

    /** @param prefix what its folder's name begins with */
    public JobDirectory(final String prefix) {
        owner = accounts.own().uid() == 0
                ? accounts.named(UserName.of("nobody")).orElseThrow()
                : accounts.own();
        try {
            root = reachable(Files.createTempDirectory(prefix));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        latest = root;
    }

    public Accounts accounts() {
        return accounts;
    }

    public UserName owner() {
        return owner.name();
    }

    public Path root() {
        return root;
    }

    /** Another directory of the owner's, by a name with a blank and more than ASCII. */
    public Path fresh() {
        try {
            latest = reachable(Files.createTempDirectory(root, "größe "));
            Files.setAttribute(latest, "unix:uid", owner.uid());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return latest;
    }

    /** The one made last. */
    public Path latest() {
        return latest;
    }

    private static Path reachable(final Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
