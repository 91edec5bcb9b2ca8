package io.millrace.quota;

import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaGroup;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.Changes;
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
 * Use case: keeps the book of quotas, as its one writer. The file is merged once, before the first request is answered. Not
 * thread-safe: one deciding loop owns it.
 */
public final class UpdateQuotas {

    private static final Logger LOG = LoggerFactory.getLogger(UpdateQuotas.class);

    private final Optional<QuotaFileContent> file;
    private final Consumer<Answer> answered;
    private final ActiveQuotas book = new ActiveQuotas(0);
    private final List<QuotaRequested> requested = new ArrayList<>();
    private boolean hasDecided;

    /**
     * @param file the site's quotas; empty if no file is configured, then quotas that once came from one stay
     * @param answered hears every answer to a request
     */
    public UpdateQuotas(final Optional<QuotaFileContent> file, final Consumer<Answer> answered) {
        this.file = file;
        this.answered = answered;
    }

    /** Takes a quota in force, while the log is replayed. */
    public void replayed(final Quota quota) {
        if (!hasDecided) {
            book.put(quota);
        }
    }

    /** Takes a group in force, while the log is replayed. */
    public void replayed(final QuotaGroup group) {
        if (!hasDecided) {
            book.put(group);
        }
    }

    public void replayedRemoval(final String key) {
        if (!hasDecided) {
            book.remove(key);
        }
    }

    public void requested(final QuotaRequested request) {
        requested.add(request);
    }

    public Changes decide(final Instant now) {
        final Changes changes = new Changes();
        if (!hasDecided) {
            hasDecided = true;
            file.ifPresent(entries -> merge(QuotaFileMerge.of(entries, book, now), changes));
        }
        requested.forEach(request -> answer(request, now, changes));
        requested.clear();
        return changes;
    }

    private void merge(final QuotaFileMerge merge, final Changes changes) {
        merge.groups().forEach(book::put);
        merge.put().forEach(book::put);
        changes.putAll(merge.events());
        merge.removed().forEach(book::remove);
        changes.remove(Topic.QUOTAS, merge.removed(), null);
        merge.overridden()
                .forEach(entry -> LOG.warn(
                        "the quota file says {} cores for {}, but a request has set another quota: kept; set it by a request",
                        entry.cores(),
                        entry.key()));
    }

    private void answer(final QuotaRequested request, final Instant now, final Changes changes) {
        final Answer answer = QuotaRequests.answer(request, book);
        switch (answer) {
            case Answer.Granted granted -> {
                book.put(granted.quota());
                changes.put(granted.quota());
            }
            case Answer.Refused refused -> {
                changes.put(new QuotaRefused(request, refused.reason(), now));
                LOG.warn(
                        "the quota of {} cores for {} that {} asked for is refused: {}",
                        request.cores(),
                        request.key(),
                        request.author(),
                        refused.reason());
            }
        }
        answered.accept(answer);
    }
}
