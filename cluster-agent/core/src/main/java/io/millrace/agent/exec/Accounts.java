package io.millrace.agent.exec;

import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The accounts of this host, from {@code getent passwd} (files, LDAP or SSSD). Accounts are cached once found. */
public final class Accounts {

    private final Map<String, Account> known = new ConcurrentHashMap<>();
    private final Function<String, Optional<Account>> directory;

    public Accounts() {
        this(Accounts::ask);
    }

    /** @param directory finds an account by its name or by its uid */
    public Accounts(final Function<String, Optional<Account>> directory) {
        this.directory = directory;
    }

    public Optional<Account> named(final UserName user) {
        return find(user.value()).filter(account -> account.name().equals(user));
    }

    public Optional<Account> withUid(final int uid) {
        return find(Integer.toString(uid));
    }

    /** The account of this process. */
    public Account own() {
        final String name = System.getProperty("user.name");
        return find(name).orElseThrow(() -> new IllegalStateException("this process has no account: '" + name + "'"));
    }

    private Optional<Account> find(final String key) {
        final Account account = known.get(key);
        if (account != null) {
            return Optional.of(account);
        }
        final Optional<Account> found = directory.apply(key);
        found.ifPresent(fresh -> known.put(key, fresh));
        return found;
    }

    private static Optional<Account> ask(final String key) {
        try {
            final Process getent = new ProcessBuilder("timeout", "10", "getent", "passwd", "--", key)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            getent.getOutputStream().close();
            final String line = new String(getent.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!getent.waitFor(15, TimeUnit.SECONDS) || getent.exitValue() > 2) {
                throw new IllegalStateException(
                        "getent passwd " + key + " did not answer: is the directory service up?");
            }
            return line.isEmpty() ? Optional.empty() : Optional.of(read(line));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking for account " + key, e);
        }
    }

    static Account read(final String line) {
        final String[] field = line.split(":", -1);
        return new Account(
                UserName.of(field[0]), Integer.parseInt(field[2]), Integer.parseInt(field[3]), field[5], field[6]);
    }
}
