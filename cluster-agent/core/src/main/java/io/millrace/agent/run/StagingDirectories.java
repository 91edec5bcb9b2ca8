package io.millrace.agent.run;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.RecentAnswers;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of jobs. Below the staging root the agent creates them with the owner's rights, accessible to the owner only; elsewhere they must
 * exist. Only {@code <root>/<owner>} is created with the agent's rights, in a folder that only the agent can write.
 */
public final class StagingDirectories {

    /** The jobs of a burst are in the same directory. A directory that is removed meanwhile fails the job at its start. */
    private static final Duration ENTERED_KEPT = Duration.ofSeconds(5);

    private static final Duration TOGETHER = Duration.ofSeconds(2);

    private static final int STICKY = 01000;
    private static final int WRITABLE_FOR_ALL = 0002;

    private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

    private final @Nullable Path root;
    private final OwnerAccounts owners;
    private final RecentAnswers<Enter, Accepted> entered = new RecentAnswers<>(ENTERED_KEPT);

    public StagingDirectories(final @Nullable Path root, final OwnerAccounts owners) {
        this.root = root;
        this.owners = owners;
        if (root != null) {
            makeRoot(root);
        }
    }

    private static void makeRoot(final Path root) {
        try {
            if (!Files.isDirectory(root)) {
                Files.createDirectories(root);
                Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
            }
            if (((int) Files.getAttribute(root, "unix:mode") & (STICKY | WRITABLE_FOR_ALL)) == WRITABLE_FOR_ALL) {
                throw new IllegalStateException("every user can rename the folders of others in the staging root '"
                        + root + "'; set its mode to 0711");
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot create the staging root " + root + "; set millrace.agent.staging-root to another folder",
                    e);
        }
    }

    /**
     * Checks the directories of a burst of jobs outside the staging root with one program instead of one for each. {@link #prepare} uses the
     * answers; it checks a directory that is not among them again.
     */
    public void checkTogether(final UserName owner, final Collection<String> directories) {
        if (!owners.canGiveFilesTo(owner)) {
            return; // the helper permits a look at one directory, which is signed
        }
        final List<String> paths = directories.stream()
                .filter(path -> isNormalized(path) && !isStaged(path))
                .toList();
        if (paths.size() > 1
                && owners.runner(owner).run(new FindEnterable(paths)) instanceof Answer.Ok<Set<String>> ok) {
            paths.stream()
                    .filter(ok.value()::contains)
                    .forEach(path -> entered.put(new Enter(path, owner), new Accepted(path + " exists")));
        }
    }

    private static boolean isNormalized(final String directory) {
        return directory.startsWith("/")
                && Path.of(directory).normalize().toString().equals(stripped(directory));
    }

    private boolean isStaged(final String directory) {
        return root != null && Path.of(directory).startsWith(root);
    }

    /**
     * Ensures that the owner can write to this directory.
     *
     * @param authority of the command that needs the directory
     */
    public Answer<Accepted> prepare(final UserName owner, final String directory, final Authority authority) {
        final Runner asOwner = owners.runner(owner, authority);
        if (!isNormalized(directory)) {
            return rejected("'" + directory + "' is not a normalized absolute path");
        }
        if (root == null || !isStaged(directory)) {
            final Enter enter = new Enter(directory, owner);
            return entered.get(enter, () -> asOwner.run(enter));
        }
        final Path home = root.resolve(owner.value());
        if (!Path.of(directory).startsWith(home) || Path.of(directory).equals(home)) {
            return rejected(
                    "'" + directory + "' is not below " + home + ", the folder of staged jobs of '" + owner + "'");
        }
        if (!owners.canGiveFilesTo(owner)) {
            return ownHome(asOwner, home).then(own -> asOwner.run(new MakeDirectory(directory)));
        }
        return makeHome(home, owners.account(owner), owners.ownUid())
                .then(made -> asOwner.run(new MakeDirectory(directory)));
    }

    /** The owner creates it in a root with mode 1777. A folder or link of another user is refused. */
    private static Answer<Accepted> ownHome(final Runner asOwner, final Path home) {
        return asOwner.run(new MakeDirectory(home.toString())).then(made -> asOwner.run(new Own(home.toString())));
    }

    private static String stripped(final String directory) {
        return directory.length() > 1 && directory.endsWith("/")
                ? directory.substring(0, directory.length() - 1)
                : directory;
    }

    /**
     * An existing folder of the owner is used. A new one is given to the owner before it gets its name, so that nothing is given away that a user
     * has put there.
     */
    private static Answer<Accepted> makeHome(final Path home, final Account account, final int agent) {
        try {
            if (agent == 0) {
                moveAside(home, account);
            }
            return isFolderOf(account, home) || give(account, agent, home)
                    ? Answer.ok(new Accepted(home + " exists"))
                    : inTheWay(home);
        } catch (final NoSuchFileException e) {
            return inTheWay(home); // another user changes it at this moment
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot create " + home, e);
        }
    }

    private static boolean give(final Account account, final int agent, final Path home) throws IOException {
        final Path fresh = Files.createTempDirectory(home.getParent(), ".new-");
        if (account.uid() != agent) {
            Files.setAttribute(fresh, "unix:gid", account.gid(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(fresh, "unix:uid", account.uid(), LinkOption.NOFOLLOW_LINKS);
        }
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE); // replaces an empty folder, and nothing else
            return true;
        } catch (final FileSystemException e) {
            Files.deleteIfExists(fresh);
            return false;
        }
    }

    private static boolean isFolderOf(final Account account, final Path home) throws IOException {
        return Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS)
                && account.uid() == (int) Files.getAttribute(home, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** In a root that all users can write to, another user can take the name before the owner's first job. A rename follows no link. */
    private static void moveAside(final Path home, final Account account) throws IOException {
        if (!Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        final int holder = (int) Files.getAttribute(home, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (holder != 0 && holder != account.uid()) {
            final Path aside = home.resolveSibling(".in-the-way-" + account.name() + "-" + UUID.randomUUID());
            Files.move(home, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.atWarn()
                    .addKeyValue("reason", "it belongs to uid " + holder)
                    .log("'{}' was moved to '{}'; set the mode of the staging root to 0711", home, aside);
        }
    }

    private static <T> Answer<T> inTheWay(final Path home) {
        return rejected("'" + home + "' must be a directory that belongs to the job's owner; remove or rename it");
    }

    private static <T> Answer<T> rejected(final String reason) {
        return Answer.trouble(Answer.Kind.REJECTED, reason);
    }

    private record Enter(String path, UserName owner) implements CommandLine<Accepted> {
        @Override
        public List<String> argv() {
            return List.of("test", "-d", path, "-a", "-w", path, "-a", "-x", path);
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted(path + " exists"))
                    : rejected(
                            "'" + path + "' is not a directory on this cluster that user '" + owner + "' can write to");
        }
    }

    /** Those of these paths that {@link Enter} would accept. No shell is involved. */
    private record FindEnterable(List<String> paths) implements CommandLine<Set<String>> {
        @Override
        public List<String> argv() {
            final List<String> argv = new ArrayList<>(List.of("find", "-L"));
            argv.addAll(paths);
            argv.addAll(List.of("-maxdepth", "0", "-type", "d", "-writable", "-executable", "-print0"));
            return argv;
        }

        /** A file system that does not answer must not keep the jobs in other directories waiting. */
        @Override
        public Duration limit() {
            return TOGETHER;
        }

        /** The exit code only means that some paths are missing. */
        @Override
        public Answer<Set<String>> read(final CommandResult result) {
            return Answer.ok(new HashSet<>(Arrays.asList(result.outputText().split("\0"))));
        }
    }

    private record Own(String path) implements CommandLine<Accepted> {
        @Override
        public List<String> argv() {
            return List.of("test", "-d", path, "-a", "-O", path, "-a", "!", "-L", path);
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted(path + " belongs to the owner"))
                    : inTheWay(Path.of(path));
        }
    }

    private record MakeDirectory(String path) implements CommandLine<Accepted> {
        @Override
        public List<String> argv() {
            return List.of("mkdir", "-p", "-m", "0700", "--", path);
        }

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted(path + " created"))
                    : rejected("cannot create the staging directory: " + result.errorText());
        }
    }
}
