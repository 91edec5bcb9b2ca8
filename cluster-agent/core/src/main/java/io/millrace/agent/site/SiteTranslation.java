package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.domain.SubmittedJobs;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Action;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates observations to site names, and adds what the workload manager does not keep of jobs submitted by Millrace. */
public final class SiteTranslation {

    private static final Logger LOG = LoggerFactory.getLogger(SiteTranslation.class);

    private final SiteMapping mapping;
    private final SubmittedJobs submitted = new SubmittedJobs();
    /** Jobs with a forged tag that have been logged. */
    private final Set<JobKey> forged = new HashSet<>();

    public SiteTranslation(final SiteMapping mapping) {
        this.mapping = mapping;
    }

    /** Reads the mapping again if it has changed. */
    public void refresh() {
        mapping.refresh();
    }

    /** The mapping to publish; null if there is none. */
    @Nullable
    public SiteMappingObserved published() {
        return mapping.published();
    }

    /** Records a submission, also of commands replayed from Kafka. */
    public void learn(final Action.Submit submit) {
        submitted.learn(submit, names().account(submit.owner()));
    }

    /** Records published jobs. */
    public void learn(final Collection<JobObserved> published) {
        published.forEach(job -> submitted.learn(job, names().account(job.owner())));
    }

    public SiteNames names() {
        return mapping.names();
    }

    public Observation of(final Observation seen) {
        forged.retainAll(seen.jobs().stream().map(JobObserved::job).collect(Collectors.toSet()));
        return new Observation(
                seen.at(),
                seen.control(),
                seen.jobs().stream().map(this::of).toList(),
                seen.nodes(),
                seen.partitions(),
                seen.unreadable());
    }

    private JobObserved of(final JobObserved seen) {
        if (isSubmitted(seen.attempt(), seen.job(), seen.owner())) {
            return submitted.complete(seen);
        }
        return names().toSite(seen.attempt() == null ? seen : withoutTag(seen));
    }

    /**
     * Whether the agent submitted this attempt for the owner of the job.
     *
     * @param account owner of the job in the workload manager
     */
    public boolean isSubmitted(final @Nullable AttemptId attempt, final JobKey job, final UserName account) {
        return submitted.isSubmitted(attempt, job, account);
    }

    /** A job whose owner has given it the tag of an attempt. Adapters take a hold of a tagged job for that of the submission. */
    private JobObserved withoutTag(final JobObserved seen) {
        if (forged.add(seen.job())) {
            LOG.atWarn()
                    .addKeyValue("jobId", seen.job())
                    .addKeyValue("cluster", seen.cluster())
                    .log(
                            "user '{}' submitted a job with the tag of {}; the tag is ignored",
                            seen.owner(),
                            seen.attempt());
        }
        final JobObserved plain = seen.withoutAttempt();
        return seen.state().equals(new JobState.Held(HoldKind.SUBMISSION))
                ? plain.in(new JobState.Held(HoldKind.USER))
                : plain;
    }
}
