package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * The cores a user is guaranteed on a cluster.
 *
 * @param cores 0 means: everything the user runs there is borrowed
 * @param author who set it
 * @param version counts the changes of this quota, from 1
 */
public record Quota(
        UserName user, ClusterId on, int cores, UserName author, String reason, Instant changed, long version)
        implements Event {

    public Quota {
        if (cores < 0) {
            throw new IllegalArgumentException("a quota cannot be negative: " + cores + " cores for " + user);
        }
    }

    @Override
    public String key() {
        return on + "/" + user;
    }
}
