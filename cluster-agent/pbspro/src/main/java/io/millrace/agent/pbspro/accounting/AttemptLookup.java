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
import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the jobs of an attempt: in the queue and the job history by one query, and older jobs in the accounting log. */
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

    public Answer<List<Found>> find(final AttemptId attempt, final UserName owner) {
        Answer<QueryResult> all = queries.history("");
        if (all instanceof Answer.Trouble<QueryResult> trouble && trouble.kind() != Answer.Kind.DOWN) {
            all = queries.all(PbsQuery.Kind.JOBS); // the server keeps no job history
        }
        return all.then(listing -> {
            final Map<JobKey, Found> found = new LinkedHashMap<>();
            logged(attempt, owner).forEach(one -> found.put(one.job(), one));
            for (final PbsJob job : JobMapper.jobs(site, listing)) {
                if (!job.isSubjob() && attempt.equals(job.attempt()) && owner.equals(PbsNames.user(job.object()))) {
                    if (!job.hasKey()) {
                        return Answer.trouble(
                                Answer.Kind.UNREADABLE,
                                "qstat printed no ctime for job " + job.id() + " of " + attempt);
                    }
                    found.put(job.key(), new Found(job.key(), job.isFinished()));
                }
            }
            return Answer.ok(Found.oldestFirst(found.values()));
        });
    }

    private List<Found> logged(final AttemptId attempt, final UserName owner) {
        if (site.accounting() == null) {
            return List.of();
        }
        final Instant now = clock.instant();
        final AccountingLog.Search search = new AccountingLog.Search(
                site,
                AccountingLog.files(site.accounting(), now.minus(BACK), now),
                List.of("." + attempt + " ", "." + attempt + "\n"));
        return runner.run(search) instanceof Answer.Ok<List<AccountingRecord>> ok
                ? ok.value().stream()
                        .filter(record -> record.type() == 'E'
                                && attempt.equals(attempt(record))
                                && owner.value().equals(record.fields().get("user")))
                        .map(record -> record.key(site))
                        .filter(Objects::nonNull)
                        .map(key -> new Found(key, true))
                        .toList()
                : List.of();
    }

    private static @Nullable AttemptId attempt(final AccountingRecord record) {
        return HoldMark.parse(record.fields().get("Resource_List." + HoldMark.RESOURCE))
                .map(HoldMark::attempt)
                .orElse(null);
    }
}
