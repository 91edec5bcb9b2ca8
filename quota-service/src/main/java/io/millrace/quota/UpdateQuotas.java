package io.millrace.quota;

import io.millrace.decide.Changes;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import io.millrace.quota.domain.quota.QuotaRequests;
import io.millrace.quota.domain.quota.QuotaRequests.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Use case: the only writer of quotas. Merges the quota file once, then answers requests. Not thread-safe: one deciding loop owns it.
 */
public final class UpdateQuotas {

    private static final Logger LOG = LoggerFactory.getLogger(UpdateQuotas.class);

    private final Optional<QuotaFileContent> file;
    private final Consumer<Answer> answered;
    private final ActiveQuotas activeQuotas = new ActiveQuotas(0);
    private final List<QuotaRequested> requested = new ArrayList<>();
    private boolean hasDecided;

    /**
     * @param file the site's quotas; empty if no file is configured: quotas from an earlier file stay
     * @param answered called with each answer
     */
    public UpdateQuotas(final Optional<QuotaFileContent> file, final Consumer<Answer> answered) {
        this.file = file;
        this.answered = answered;
    }

    /** Applies a quota in force, during replay. */
    public void replayed(final Quota quota) {
        if (!hasDecided) {
            activeQuotas.put(quota);
        }
    }

    /** Applies a group in force, during replay. */
    public void replayed(final QuotaGroup group) {
        if (!hasDecided) {
            activeQuotas.put(group);
        }
    }

    public void replayedRemoval(final String key) {
        if (!hasDecided) {
            activeQuotas.remove(key);
        }
    }

    public void requested(final QuotaRequested request) {
        requested.add(request);
    }

    public Changes decide(final Instant now) {
        final Changes changes = new Changes();
        if (!hasDecided) {
            hasDecided = true;
            file.ifPresent(entries -> merge(QuotaFileMerge.of(entries, activeQuotas, now), changes));
        }
        requested.forEach(request -> answer(request, now, changes));
        requested.clear();
        return changes;
    }

    private void merge(final QuotaFileMerge merge, final Changes changes) {
        merge.groups().forEach(activeQuotas::put);
        merge.put().forEach(activeQuotas::put);
        changes.putAll(merge.events());
        merge.removed().forEach(activeQuotas::remove);
        changes.remove(Topic.QUOTAS, merge.removed(), null);
        merge.overridden()
                .forEach(entry -> LOG.warn(
                        "Line of the quota file ignored, because a request has set another quota; change the quota by a"
                                + " request: quota={} cores={}",
                        entry.key(),
                        entry.cores()));
        if (!merge.events().isEmpty() || !merge.removed().isEmpty()) {
            LOG.info(
                    "Quota file merged: quotas={} groups={} removed={}",
                    merge.put().size(),
                    merge.groups().size(),
                    merge.removed().size());
        }
    }

    /** A request never stops the service: any failure refuses it, with the reason. */
    private Answer answer(final QuotaRequested request) {
        try {
            return QuotaRequests.answer(request, activeQuotas);
        } catch (final RuntimeException e) {
            LOG.error("Quota change cannot be processed: quota={}", request.key(), e);
            return new Answer.Refused(request, "the request cannot be processed: " + e);
        }
    }

    private void answer(final QuotaRequested request, final Instant now, final Changes changes) {
        final Answer answer = answer(request);
        switch (answer) {
            case Answer.Granted granted -> {
                activeQuotas.put(granted.quota());
                changes.put(granted.quota());
                LOG.info(
                        "Quota changed: quota={} decision=granted cores={} author={} reason={}",
                        granted.quota().key(),
                        granted.quota().cores(),
                        request.author(),
                        request.reason());
            }
            case Answer.Removed removed -> {
                activeQuotas.remove(removed.quota().key());
                changes.remove(Topic.QUOTAS, List.of(removed.quota().key()), null);
                LOG.info(
                        "Quota removed: quota={} decision=removed cores={} author={} reason={}",
                        removed.quota().key(),
                        removed.quota().cores(),
                        request.author(),
                        request.reason());
            }
            case Answer.Refused refused -> {
                changes.put(new QuotaRefused(request, refused.reason(), now));
                LOG.info(
                        "Quota change refused: quota={} decision=refused cores={} author={} reason={}",
                        request.key(),
                        request.cores(),
                        request.author(),
                        refused.reason());
            }
        }
        answered.accept(answer);
    }
}
