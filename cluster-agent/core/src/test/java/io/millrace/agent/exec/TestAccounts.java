package io.millrace.agent.exec;

import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Accounts for tests whose users are only names. Root runs nothing, so under root they have the rights of {@code nobody}. */
public final class TestAccounts {

    private static final Accounts MACHINE = new Accounts();

    private TestAccounts() {}

    /** The ordinary account that runs the tests' programs: {@code nobody} under root, otherwise the current one. */
    public static Account ordinary() {
        return MACHINE.own().uid() == 0 ? MACHINE.named(UserName.of("nobody")).orElseThrow() : MACHINE.own();
    }

    /** Every name that has no account on this machine is a further name of the ordinary account. */
    public static Accounts labels() {
        return new Accounts(name -> find(name).or(() -> Optional.of(label(name))));
    }

    /** The same, of an agent that is not root, whoever runs the tests. */
    public static Accounts ofOrdinaryAgent() {
        return new Accounts(name -> name.equals(System.getProperty("user.name"))
                ? Optional.of(ordinary())
                : find(name).or(() -> Optional.of(label(name))));
    }

    /** Gives a file or folder to the ordinary account. */
    public static Path give(final Path file) {
        try {
            Files.setAttribute(file, "unix:uid", ordinary().uid(), LinkOption.NOFOLLOW_LINKS);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** Lets every account search this folder and its parents, as far as they belong to the test. */
    public static Path letIn(final Path folder) {
        try {
            for (Path at = folder; at != null && at.getNameCount() > 1; at = at.getParent()) {
                open(at);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    private static void open(final Path folder) throws IOException {
        final int holder = (int) Files.getAttribute(folder, "unix:uid");
        if (holder == MACHINE.own().uid() && !Files.isSymbolicLink(folder)) {
            final var mode = Files.getPosixFilePermissions(folder);
            mode.addAll(PosixFilePermissions.fromString("--x--x--x"));
            Files.setPosixFilePermissions(folder, mode);
        }
    }

    private static Optional<Account> find(final String name) {
        return name.matches("\\d+") ? MACHINE.withUid(Integer.parseInt(name)) : MACHINE.named(UserName.of(name));
    }

    private static Account label(final String name) {
        final Account real = ordinary();
        return new Account(UserName.of(name), real.uid(), real.gid(), real.home(), real.shell());
    }
}
