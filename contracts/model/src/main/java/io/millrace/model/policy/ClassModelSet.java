package io.millrace.model.policy;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;

/**
 * The class model in force, for the whole site.
 *
 * @param model YAML, as the guide to classification describes it
 * @param warnings empty domains, overlapping and unreachable classes
 * @param author who set it
 * @param version counts the changes, from 1
 */
public record ClassModelSet(
        String model, List<String> warnings, UserName author, String reason, Instant changedAt, long version)
        implements Event {

    /** The one key of the model. */
    public static final String KEY = "class-model";

    public ClassModelSet {
        warnings = List.copyOf(warnings);
    }

    @Override
    public String key() {
        return KEY;
    }
}
