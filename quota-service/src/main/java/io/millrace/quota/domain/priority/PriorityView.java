package io.millrace.quota.domain.priority;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.Usage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What priorities are made from, beside the queue.
 *
 * @param classes of a job; empty if it has none or they are not known yet
 * @param before the figures of each user of this cluster that were last published
 */
public record PriorityView(PriorityRules rules, Function<JobKey, List<String>> classes, Map<UserName, Usage> before) {

    /** Only the right counts, and nothing was ever used. */
    public static final PriorityView NONE = new PriorityView(PriorityRules.NONE, job -> List.of(), Map.of());

    /** The same, going on from these figures of one cluster. */
    public static PriorityView of(
            final PriorityRules rules,
            final Function<JobKey, List<String>> classes,
            final Collection<Usage> published) {
        final Map<UserName, Usage> before = new HashMap<>();
        published.forEach(usage -> before.put(usage.user(), usage));
        return new PriorityView(rules, classes, before);
    }
}
