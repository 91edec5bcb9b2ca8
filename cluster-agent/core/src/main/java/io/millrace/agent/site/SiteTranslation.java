package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.domain.SubmittedJobs;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Action;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates observations to site names, adds what the workload manager does not keep of jobs submitted by Millrace, and removes what their
 * owners only claim: the tag of an attempt, or a project of which they are no members.
 */
public final class SiteTranslation {

    private static final Logger LOG = LoggerFactory.getLogger(SiteTranslation.class);

    private final SiteMapping mapping;
    private final LocalProjects projects;
    private final SubmittedJobs submitted = new SubmittedJobs();
    /** Jobs with a forged tag that have been logged. */
    private final Set<JobKey> forged = new HashSet<>();
    /** The projects that jobs charge, of which their owners were members when the job was first seen. */
    private final Map<JobKey, ProjectName> charged = new HashMap<>();
    /** Jobs of strangers that have been logged. */
    private final Set<JobKey> uncharged = new HashSet<>();

    public SiteTranslation(final SiteMapping mapping, final LocalProjects projects) {
        this.mapping = mapping;
        this.projects = projects;
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
        published.forEach(job -> {
            submitted.learn(job, names().account(job.owner()));
            if (job.project() != null) {
                charged.put(job.job(), job.project());
            }
        });
    }

    public SiteNames names() {
        return mapping.names();
    }

    public Observation of(final Observation seen) {
        final Set<JobKey> present = seen.jobs().stream().map(JobObserved::job).collect(Collectors.toSet());
        forged.retainAll(present);
        charged.keySet().retainAll(present);
        uncharged.retainAll(present);
        return new Observation(
                seen.at(),
                seen.control(),
                seen.jobs().stream().map(this::of).toList(),
                seen.nodes(),
                seen.partitions(),
                seen.unreadable());
    }

    private JobObserved of(final JobObserved seen) {
        final JobObserved vouched = vouched(seen);
        if (isSubmitted(seen.attempt(), seen.job(), seen.owner())) {
            return submitted.complete(vouched);
        }
        return names().toSite(seen.attempt() == null ? vouched : withoutTag(vouched));
    }

    /** A local job without the project that it names, if its owner is not known to be a member. */
    private JobObserved vouched(final JobObserved seen) {
        final ProjectName project = seen.project();
        if (project == null || names().projectOf(project).equals(charged.get(seen.job()))) {
            return seen;
        }
        switch (projects.of(seen.owner(), project)) {
            case MEMBER -> {
                charged.put(seen.job(), names().projectOf(project));
                return seen;
            }
            case STRANGER -> logUncharged(seen, project);
            case UNKNOWN -> {}
        }
        return seen.of(seen.owner(), null).with(seen.detail().claiming(names().projectOf(project)));
    }

    private void logUncharged(final JobObserved seen, final ProjectName project) {
        if (uncharged.add(seen.job())) {
            LOG.atInfo()
                    .addKeyValue("jobId", seen.job())
                    .addKeyValue("cluster", seen.cluster())
                    .log(
                            "user '{}' is not known as a member of project '{}', so the job does not charge it; add the user to"
                                    + " the Unix group, or set millrace.agent.local-projects=all if the workload manager checks it",
                            seen.owner(),
                            project);
        }
    }

    /** The project that a job of accounting charges; null if it has none, or its owner is not known to be a member. */
    public @Nullable ProjectName chargedProject(final EndedJob ended) {
        final ProjectName project = ended.project();
        final ProjectName submittedFor =
                isSubmitted(ended.attempt(), ended.job(), ended.owner()) ? submitted.project(ended.attempt()) : null;
        if (submittedFor != null) {
            return submittedFor;
        }
        return project != null && projects.of(ended.owner(), project) == LocalProjects.Membership.MEMBER
                ? names().projectOf(project)
                : null;
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
