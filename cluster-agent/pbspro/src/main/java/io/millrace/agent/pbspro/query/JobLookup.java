package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.util.Locale;

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
        if (id == null) {
            return unknown(key);
        }
        return queries.job(id.toString()).then(listing -> {
            for (final PbsJob job : JobMapper.jobs(site, listing)) {
                if (PbsId.in(job.id()).filter(id::isSameJob).isPresent()
                        && job.hasKey()
                        && job.submitted().equals(key.submittedAt())) {
                    return job.isFinished() ? wrongState(job, "has ended") : Answer.ok(job);
                }
            }
            return listing.remark().toLowerCase(Locale.ROOT).contains("finished")
                    ? Answer.trouble(Answer.Kind.WRONG_STATE, "job " + key.id() + " has ended")
                    : unknown(key);
        });
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
