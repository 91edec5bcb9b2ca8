package io.millrace.model.policy;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * The rules of priority in force, for the whole site.
 *
 * @param author who set them
 * @param version counts the changes, from 1
 */
public record PriorityRulesSet(PriorityRules rules, UserName author, String reason, Instant changedAt, long version)
        implements Event {

    /** The one key of these settings. */
    public static final String KEY = "priority";

    @Override
    public String key() {
        return KEY;
    }
}
