package io.millrace.quota;

import io.millrace.decide.Changes;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.quota.domain.priority.PriorityRequests;
import io.millrace.quota.domain.priority.PriorityRequests.Answer;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Use case: the only writer of priority rules. Merges the priority file once, then answers requests. Not thread-safe: one deciding loop
 * owns it.
 */
public final class UpdatePriorityRules {

    private static final Logger LOG = LoggerFactory.getLogger(UpdatePriorityRules.class);

    private final Optional<PriorityRules> file;
    private final List<PriorityRulesRequested> requested = new ArrayList<>();
    private @Nullable PriorityRulesSet inForce;
    private boolean hasDecided;

    /** @param file the site's rules; empty if no file is configured: the rules in force stay */
    public UpdatePriorityRules(final Optional<PriorityRules> file) {
        this.file = file;
    }

    /** Applies the rules in force, during replay. */
    public void replayed(final PriorityRulesSet set) {
        if (!hasDecided) {
            inForce = set;
        }
    }

    public void requested(final PriorityRulesRequested request) {
        requested.add(request);
    }

    /** Adds what changes to {@code changes}. */
    public void decide(final Instant now, final Changes changes) {
        if (!hasDecided) {
            hasDecided = true;
            file.ifPresent(rules -> merge(rules, now, changes));
        }
        requested.forEach(request -> answer(request, changes));
        requested.clear();
    }

    private void merge(final PriorityRules rules, final Instant now, final Changes changes) {
        PriorityRequests.fromFile(rules, inForce, now).ifPresent(set -> set(set, changes));
        if (inForce != null
                && !inForce.author().equals(QuotaFileMerge.FILE)
                && !inForce.rules().equals(rules)) {
            LOG.warn(
                    "Priority file ignored, because a request by {} has set other rules; change the rules by a request",
                    inForce.author());
        }
    }

    /** A request never stops the service: any failure refuses it, with the reason. */
    private Answer answer(final PriorityRulesRequested request) {
        try {
            return PriorityRequests.answer(request, inForce);
        } catch (final RuntimeException e) {
            LOG.error("Priority rules cannot be processed: author={}", request.author(), e);
            return new Answer.Refused(request, "the request cannot be processed: " + e);
        }
    }

    private void answer(final PriorityRulesRequested request, final Changes changes) {
        switch (answer(request)) {
            case Answer.Granted granted -> set(granted.set(), changes);
            case Answer.Refused refused ->
                LOG.info(
                        "Priority rules refused: decision=refused author={} reason={}",
                        request.author(),
                        refused.reason());
        }
    }

    private void set(final PriorityRulesSet set, final Changes changes) {
        inForce = set;
        changes.put(set);
        LOG.info(
                "Priority rules changed: decision=granted author={} version={} reason={}",
                set.author(),
                set.version(),
                set.reason());
    }
}
