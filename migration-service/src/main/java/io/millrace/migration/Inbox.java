package io.millrace.migration;

import io.millrace.decide.IgnoredRecords;
import io.millrace.migration.domain.attempt.JobSteps;
import io.millrace.migration.domain.job.GlobalJobLifecycle;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.SubmissionEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Submissions, changes by users, and ended runs since the last decision. They are consumed once, with the states they lead to. */
final class Inbox {

    private final GlobalJobs jobs;
    private final JobSteps steps;
    private final JobChanges changes;
    private final IgnoredRecords ignored;
    private final List<SubmissionEvent> submissions = new ArrayList<>();
    private final List<RunEnded> ends = new ArrayList<>();

    /** @param ignored counts events that have no effect */
    Inbox(final GlobalJobs jobs, final JobSteps steps, final JobChanges changes, final IgnoredRecords ignored) {
        this.jobs = jobs;
        this.steps = steps;
        this.changes = changes;
        this.ignored = ignored;
    }

    void add(final SubmissionEvent event) {
        submissions.add(event);
    }

    void add(final RunEnded end) {
        ends.add(end);
    }

    /** Applies and removes all events. */
    void apply(final Instant now) {
        submissions.forEach(event -> apply(event, now));
        submissions.clear();
        ends.forEach(end -> apply(end, now));
        ends.clear();
    }

    private void apply(final SubmissionEvent event, final Instant now) {
        switch (event) {
            case JobSubmitted submission -> {
                if (jobs.isKnown(submission.job())) {
                    ignored.count("submission-repeated");
                    return;
                }
                changes.record(GlobalJobLifecycle.accepted(submission, now), now);
            }
            case StopRequested stop -> {
                final Optional<GlobalJob> job = jobs.find(stop.job());
                if (job.isEmpty()) {
                    ignored.count(jobs.isKnown(stop.job()) ? "stop-of-ended-job" : "stop-of-unknown-job");
                    return;
                }
                changes.apply(job.get(), new JobFact.StopReceived(stop), now);
            }
            case HoldRequested hold -> change(hold, new JobFact.HoldReceived(hold), now);
            case AlterRequested change -> {
                final JobDependency other = change.dependency();
                if (other != null
                        && jobs.find(change.job())
                                .filter(job -> jobs.isCircular(job, other))
                                .isPresent()) {
                    ignored.count("alter-to-circular-dependency");
                    return;
                }
                change(change, new JobFact.AlterReceived(change), now);
            }
            case ReleaseRequested release -> change(release, new JobFact.ReleaseReceived(release), now);
        }
    }

    private void change(final SubmissionEvent event, final JobFact fact, final Instant now) {
        jobs.find(event.job())
                .ifPresentOrElse(job -> changes.apply(job, fact, now), () -> ignored.count("change-of-no-live-job"));
    }

    /** Applies the end of a run of a global job, even if the local id was not known before. */
    private void apply(final RunEnded end, final Instant now) {
        final AttemptId tag = end.attempt();
        if (tag == null || !end.outcome().endsTheKey()) {
            return;
        }
        final Optional<GlobalJob> job = jobs.find(tag.job()).filter(j -> isCurrent(j, tag, end.cluster()));
        final JobFact fact = end.outcome() instanceof RunOutcome.Continued on
                ? new JobFact.RunContinued(end.job(), on.continuedAs())
                : job.map(j -> steps.over(j, end.job(), end.outcome(), now)).orElse(null);
        if (job.isEmpty() || fact == null || !changes.apply(job.get(), fact, now)) {
            ignored.count("end-of-no-current-attempt");
        }
    }

    /** A cluster reports only on the attempts that were placed on it. */
    private static boolean isCurrent(final GlobalJob job, final AttemptId tag, final ClusterId cluster) {
        final Attempt attempt = job.attempt();
        return attempt != null
                && attempt.number() == tag.number()
                && attempt.cluster().equals(cluster);
    }
}
