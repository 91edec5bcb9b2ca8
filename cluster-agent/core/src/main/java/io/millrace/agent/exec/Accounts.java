package io.millrace.agent.exec;

import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of this host, from {@code getent passwd} (files, LDAP or SSSD). The directory is asked at use: an account that was removed must
 * not act as the next owner of its uid. Answers are kept for two seconds, so that a burst of jobs asks once. While the directory does not
 * answer, accounts that it has confirmed within the last ten minutes stay valid.
 */
public final class Accounts {

    private static final Duration FRESH = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofSeconds(30);
    private static final Duration OUTAGE = Duration.ofMinutes(10);

    private final Map<String, Kept> known = new ConcurrentHashMap<>();
    private final Function<String, Optional<Account>> directory;
    private final LongSupplier nanoTime;
    private volatile @Nullable Account own;

    private record Kept(Account account, long confirmed_ns, long until_ns) {}

    public Accounts() {
        this(Accounts::ask);
    }

    /** @param directory finds an account by its name or by its uid */
    public Accounts(final Function<String, Optional<Account>> directory) {
        this(directory, System::nanoTime);
    }

    /** @param nanoTime as {@link System#nanoTime} */
    Accounts(final Function<String, Optional<Account>> directory, final LongSupplier nanoTime) {
        this.directory = directory;
        this.nanoTime = nanoTime;
    }

    public Optional<Account> named(final UserName user) {
        return find(user.value()).filter(account -> account.name().equals(user));
    }

    public Optional<Account> withUid(final int uid) {
        return find(Integer.toString(uid));
    }

    /** Whether the account still exists with this uid. */
    public boolean isCurrent(final Account account) {
        return named(account.name()).filter(now -> now.uid() == account.uid()).isPresent();
    }

    /** The account of this process. */
    public Account own() {
        final Account mine = own;
        if (mine != null) {
            return mine;
        }
        final String name = System.getProperty("user.name");
        final Account found =
                find(name).orElseThrow(() -> new IllegalStateException("this process has no account: '" + name + "'"));
        own = found;
        return found;
    }

    private Optional<Account> find(final String key) {
        final long now = nanoTime.getAsLong();
        final Kept last = known.get(key);
        if (last != null && now - last.until_ns() < 0) {
            return Optional.of(last.account());
        }
        final Optional<Account> found;
        try {
            found = directory.apply(key);
        } catch (final IllegalStateException e) {
            if (last == null || now - last.confirmed_ns() >= OUTAGE.toNanos()) {
                throw e;
            }
            known.put(key, new Kept(last.account(), last.confirmed_ns(), nanoTime.getAsLong() + RETRY.toNanos()));
            return Optional.of(last.account());
        }
        found.ifPresentOrElse(
                account -> known.put(key, new Kept(account, now, now + FRESH.toNanos())), () -> known.remove(key));
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
