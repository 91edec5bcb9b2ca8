package io.millrace.quota.domain.priority;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.quota.Usage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The input of priorities, besides the waiting jobs.
 *
 * @param classes of a job; empty if it has none or they are not yet known
 * @param before the last published usage of each user of this cluster
 */
public record PriorityView(PriorityRules rules, Function<JobKey, List<String>> classes, Map<UserName, Usage> before) {

    /** No weights and no past use. */
    public static final PriorityView NONE = new PriorityView(PriorityRules.NONE, job -> List.of(), Map.of());

    /** With the usage last published for one cluster. */
    public static PriorityView of(
            final PriorityRules rules,
            final Function<JobKey, List<String>> classes,
            final Collection<Usage> published) {
        final Map<UserName, Usage> before = new HashMap<>();
        published.forEach(usage -> before.put(usage.user(), usage));
        return new PriorityView(rules, classes, before);
    }
}
