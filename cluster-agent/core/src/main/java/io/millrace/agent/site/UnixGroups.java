package io.millrace.agent.site;

import io.millrace.model.UserName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of accounts, as the name service of this host (files, LDAP, SSSD) gives them. It is asked beside the thread of the caller, which
 * gets the last answer, or none. While the name service does not answer, its last answer stays valid.
 */
final class UnixGroups {

    private static final Logger LOG = LoggerFactory.getLogger(UnixGroups.class);
    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Map<UserName, Known> known = new ConcurrentHashMap<>();
    private final Set<UserName> asked = ConcurrentHashMap.newKeySet();
    private final Function<UserName, Set<String>> directory;
    private final LongSupplier nanoTime;
    private final ExecutorService lookups = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("groups of accounts").factory());

    private record Known(Set<String> groups, long until_ns) {}

    UnixGroups() {
        this(UnixGroups::ask, System::nanoTime);
    }

    /**
     * @param directory blocks; throws IllegalStateException if the name service does not answer
     * @param nanoTime as {@link System#nanoTime}
     */
    UnixGroups(final Function<UserName, Set<String>> directory, final LongSupplier nanoTime) {
        this.directory = directory;
        this.nanoTime = nanoTime;
    }

    /** Empty if the name service has never answered for this account; then ask again later. */
    Optional<Set<String>> of(final UserName account) {
        final Known last = known.get(account);
        if ((last == null || nanoTime.getAsLong() - last.until_ns() >= 0) && asked.add(account)) {
            lookups.execute(() -> lookUp(account));
        }
        return Optional.ofNullable(last).map(Known::groups);
    }

    private void lookUp(final UserName account) {
        try {
            final Set<String> groups = directory.apply(account);
            known.put(account, new Known(groups, nanoTime.getAsLong() + FRESH.toNanos()));
        } catch (final RuntimeException e) {
            LOG.warn("cannot look up the groups of user '{}'; is the name service up? {}", account, e.getMessage());
        } finally {
            asked.remove(account);
        }
    }

    private static Set<String> ask(final UserName account) {
        try {
            final Process id = new ProcessBuilder(
                            "timeout", Long.toString(TIMEOUT.toSeconds()), "id", "-Gnz", "--", account.value())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            id.getOutputStream().close();
            final String names = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            // A group without a name makes id fail, but it prints the others. More than 1 is a failure of timeout.
            if (!id.waitFor(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS) || id.exitValue() > 1) {
                throw new IllegalStateException("no answer within " + TIMEOUT.toSeconds() + " s");
            }
            return names.isEmpty() ? Set.of() : Set.copyOf(List.of(names.split("\0")));
        } catch (final IOException e) {
            throw new IllegalStateException(e.toString(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the agent is stopping", e);
        }
    }
}
