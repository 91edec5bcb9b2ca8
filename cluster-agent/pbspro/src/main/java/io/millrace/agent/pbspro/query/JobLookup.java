package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds the job of a key. The submission time must match, because PBS reuses ids. Commands accept ids in several forms. */
public final class JobLookup {

    private final PbsSite site;
    private final PbsQueries queries;

    public JobLookup(final PbsSite site, final PbsQueries queries) {
        this.site = site;
        this.queries = queries;
    }

    /** Returns the job of this key if it has not finished. */
    public Answer<PbsJob> find(final JobKey key) {
        final PbsId id = PbsId.in(key.id().local()).orElse(null);
        return id == null
                ? unknown(key)
                : queries.job(id.toString()).then(listing -> in(listing, JobMapper.jobs(site, listing), key, id));
    }

    /** Finds several jobs by one command; the answer for each. */
    public Map<JobKey, Answer<PbsJob>> find(final Collection<JobKey> keys) {
        final Map<JobKey, PbsId> ids = new LinkedHashMap<>();
        keys.forEach(key -> PbsId.in(key.id().local()).ifPresent(id -> ids.put(key, id)));
        final Answer<QueryResult> found = queries.jobs(
                ids.values().stream().map(PbsId::toString).distinct().toList());
        final Answer<List<PbsJob>> jobs = found.map(listing -> JobMapper.jobs(site, listing));
        final Map<JobKey, Answer<PbsJob>> answers = new LinkedHashMap<>();
        for (final JobKey key : keys) {
            final PbsId id = ids.get(key);
            answers.put(
                    key,
                    id == null
                            ? unknown(key)
                            : found.then(listing -> jobs.then(listed -> in(listing, listed, key, id))));
        }
        return answers;
    }

    private Answer<PbsJob> in(final QueryResult listing, final List<PbsJob> jobs, final JobKey key, final PbsId id) {
        for (final PbsJob job : jobs) {
            if (PbsId.in(job.id()).filter(id::isSameJob).isPresent()
                    && job.hasKey()
                    && job.submitted().equals(key.submittedAt())) {
                return job.isFinished() ? wrongState(job, "has ended") : Answer.ok(job);
            }
        }
        return listing.remark()
                        .lines()
                        .anyMatch(line ->
                                line.toLowerCase(Locale.ROOT).contains("finished") && line.contains(id.toString()))
                ? Answer.trouble(Answer.Kind.WRONG_STATE, "job " + key.id() + " has ended")
                : unknown(key);
    }

    /** Returns the job that was just submitted under this id. */
    public Answer<PbsJob> byId(final String id) {
        return queries.job(id)
                .then(listing -> JobMapper.jobs(site, listing).stream()
                        .findFirst()
                        .<Answer<PbsJob>>map(Answer::ok)
                        .orElseGet(() -> Answer.trouble(
                                Answer.Kind.NO_SUCH_JOB, "qsub accepted job " + id + ", but qstat cannot find it")));
    }

    private <T> Answer<T> unknown(final JobKey key) {
        return Answer.trouble(
                Answer.Kind.NO_SUCH_JOB,
                "job " + key.id().local() + " submitted at " + key.submittedAt() + " not found on " + site.cluster());
    }

    public <T> Answer<T> wrongState(final PbsJob job, final String reason) {
        return Answer.trouble(Answer.Kind.WRONG_STATE, "job " + new JobId(site.cluster(), job.id()) + " " + reason);
    }
}
