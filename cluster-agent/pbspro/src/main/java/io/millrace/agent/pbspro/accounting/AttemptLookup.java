package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.JobMapper;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsQueries;
import io.millrace.agent.pbspro.query.PbsQuery;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.QueryResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.FoundAttempts;
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the jobs of attempts: in the queue and the job history by one query, and older jobs in the accounting log. */
public final class AttemptLookup {

    /** No attempt is looked up after this time. */
    private static final Duration BACK = Duration.ofDays(31);

    private final PbsSite site;
    private final Runner runner;
    private final PbsQueries queries;
    private final Clock clock;

    public AttemptLookup(final PbsSite site, final Runner runner, final PbsQueries queries, final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.queries = queries;
        this.clock = clock;
    }

    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        Answer<QueryResult> all = queries.history("");
        if (all instanceof Answer.Trouble<QueryResult> trouble && trouble.kind() != Answer.Kind.DOWN) {
            all = queries.all(PbsQuery.Kind.JOBS); // the server keeps no job history
        }
        return all.then(listing -> {
            final FoundAttempts found = new FoundAttempts(owners);
            addLogged(owners, found);
            for (final PbsJob job : JobMapper.jobs(site, listing)) {
                final AttemptId attempt = job.attempt();
                if (attempt != null && !job.isSubjob() && found.includes(attempt, PbsNames.user(job.object()))) {
                    if (!job.hasKey()) {
                        return Answer.trouble(
                                Answer.Kind.UNREADABLE,
                                "qstat printed no ctime for job " + job.id() + " of " + attempt);
                    }
                    found.add(attempt, job.key(), job.isFinished());
                }
            }
            return Answer.ok(found.inOrder());
        });
    }

    private void addLogged(final Map<AttemptId, UserName> owners, final FoundAttempts found) {
        if (site.accounting() == null) {
            return;
        }
        final Instant now = clock.instant();
        final AccountingLog.Search search = AccountingLog.Search.tagged(
                site, AccountingLog.files(site.accounting(), now.minus(BACK), now), owners.keySet());
        if (!(runner.run(search) instanceof Answer.Ok<List<AccountingRecord>> records)) {
            return;
        }
        for (final AccountingRecord record : records.value()) {
            final AttemptId attempt = attempt(record);
            final UserName owner = attempt == null ? null : owners.get(attempt);
            final JobKey key = record.key(site);
            if (record.type() == 'E'
                    && attempt != null
                    && owner != null
                    && key != null
                    && owner.value().equals(record.fields().get("user"))) {
                found.add(attempt, key, true);
            }
        }
    }

    private static @Nullable AttemptId attempt(final AccountingRecord record) {
        return HoldMark.parse(record.fields().get("Resource_List." + HoldMark.RESOURCE))
                .map(HoldMark::attempt)
                .orElse(null);
    }
}
