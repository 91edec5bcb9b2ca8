package io.millrace.submit.kafka;

import io.millrace.log.LockedUsers;
import io.millrace.model.UserName;
import io.millrace.model.policy.UserLock;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.identity.UserLocks;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Follows the topic of locks, which each instance reads from its beginning. */
@ApplicationScoped
class KafkaUserLocks implements UserLocks {

    /** After the topics are created. */
    private static final int LATE = 5000;

    private final LockedUsers users;

    KafkaUserLocks(final KafkaSettings kafka) {
        this.users = new LockedUsers(kafka.bootstrapServers(), kafka.group(), Map.of());
    }

    void start(@Observes @Priority(LATE) final StartupEvent started) {
        users.start();
        users.awaitKnown();
    }

    void stop(@Observes final ShutdownEvent event) {
        users.close();
    }

    @Override
    public Optional<UserLock> lastChange(final UserName user) {
        return users.lastChange(user);
    }

    @Override
    public List<UserLock> locked() {
        return users.all();
    }

    @Override
    public boolean areKnown() {
        return users.areKnown();
    }
}
