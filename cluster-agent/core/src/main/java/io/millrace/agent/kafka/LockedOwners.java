package io.millrace.agent.kafka;

import io.millrace.log.ClientProperties;
import io.millrace.log.LockedUsers;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The users for whom operators have forbidden the agent to act. */
public final class LockedOwners implements AutoCloseable {

    private final LockedUsers users;

    /** Begins to read them; until then, every user is refused. */
    public LockedOwners(final String bootstrapServers, final Optional<Path> clientProperties, final ClusterId cluster) {
        this.users = new LockedUsers(
                bootstrapServers,
                "agent-" + cluster,
                clientProperties.map(ClientProperties::read).orElse(Map.of()));
        users.start();
    }

    /** Why the agent does not act for the user; empty if it does. */
    public Optional<String> refusal(final UserName user) {
        return users.refusal(user);
    }

    @Override
    public void close() {
        users.close();
    }
}
