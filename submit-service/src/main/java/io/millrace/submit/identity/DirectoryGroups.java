package io.millrace.submit.identity;

import io.millrace.model.UserName;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Unix groups of users on the host of submit-service, as its name service (files, LDAP, SSSD) gives them. */
@ApplicationScoped
public class DirectoryGroups {

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryGroups.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST = 10_000;

    private final Duration age;
    private final Clock clock;
    private final Map<UserName, Known> known = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<UserName, Known> eldest) {
            return size() > MOST;
        }
    });

    private record Known(Set<String> groups, Instant until) {}

    DirectoryGroups(final Clock clock) {
        this.age = SubmitSettings.MEMBERSHIP_AGE;
        this.clock = clock;
    }

    /**
     * Blocks if the groups are not known or too old.
     *
     * @return empty if the host does not know the user
     * @throws RequestRefused (unavailable) if the name service does not answer
     */
    public Set<String> of(final UserName user) {
        final Instant now = clock.instant();
        final Known earlier = known.get(user);
        if (earlier != null && now.isBefore(earlier.until())) {
            return earlier.groups();
        }
        final Set<String> groups = ask(user);
        known.put(user, new Known(groups, now.plus(age)));
        return groups;
    }

    private static Set<String> ask(final UserName user) {
        try {
            final Process id = new ProcessBuilder(List.of("id", "-Gnz", "--", user.value()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            id.getOutputStream().close();
            // A group without a name makes id fail, but it prints the others.
            if (!id.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                id.destroyForcibly();
                throw unavailable(user, "no answer within " + TIMEOUT.toSeconds() + " s");
            }
            final String names = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return names.isEmpty() ? Set.of() : Set.copyOf(List.of(names.split("\0")));
        } catch (IOException e) {
            throw unavailable(user, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(user, "the service is stopping");
        }
    }

    private static RequestRefused unavailable(final UserName user, final String reason) {
        LOG.atWarn().addKeyValue("user", user).addKeyValue("reason", reason).log("groups of a user not found");
        return new RequestRefused(
                RequestRefused.Kind.UNAVAILABLE, "the groups of user '" + user + "' cannot be looked up now; retry");
    }
}
