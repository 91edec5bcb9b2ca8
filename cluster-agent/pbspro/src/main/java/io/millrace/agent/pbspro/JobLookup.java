package io.millrace.agent.pbspro;

import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.util.Locale;

/** Finds the very job that is meant: PBS's ids start anew some day, and commands take them in several forms. */
final class JobLookup {

    private final PbsSite site;
    private final PbsQueries reading;

    JobLookup(final PbsSite site, final PbsQueries reading) {
        this.site = site;
        this.reading = reading;
    }

    /** The job itself, not another one under its id, and not one that has finished. */
    Answer<PbsJob> find(final JobKey key) {
        final PbsId id = PbsId.in(key.id().local()).orElse(null);
        if (id == null) {
            return unknown(key);
        }
        return reading.job(id.toString()).then(listing -> {
            for (final PbsJob job : JobMapper.jobs(site, listing)) {
                if (PbsId.in(job.id()).filter(id::isSameJob).isPresent()
                        && job.submitted().equals(key.submittedAt())) {
                    return job.isFinished() ? wrongState(job, "has ended") : Answer.ok(job);
                }
            }
            return listing.remark().toLowerCase(Locale.ROOT).contains("finished")
                    ? Answer.trouble(Answer.Kind.WRONG_STATE, "job " + key.id() + " has ended")
                    : unknown(key);
        });
    }

    /** The job that was handed in under this id a moment ago. */
    Answer<PbsJob> byId(final String id) {
        return reading.job(id)
                .then(listing -> JobMapper.jobs(site, listing).stream()
                        .findFirst()
                        .<Answer<PbsJob>>map(Answer::ok)
                        .orElseGet(() -> Answer.trouble(
                                Answer.Kind.NO_SUCH_JOB, "qsub accepted job " + id + ", but qstat does not know it")));
    }

    private <T> Answer<T> unknown(final JobKey key) {
        return Answer.trouble(
                Answer.Kind.NO_SUCH_JOB,
                "PBS knows no job " + key.id().local() + " that was submitted at " + key.submittedAt() + " to "
                        + site.cluster());
    }

    <T> Answer<T> wrongState(final PbsJob job, final String because) {
        return Answer.trouble(Answer.Kind.WRONG_STATE, "job " + new JobId(site.cluster(), job.id()) + " " + because);
    }
}
