package io.millrace.submit;

import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.Attempt;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.CommandHistory;
import io.millrace.submit.domain.job.JobEvidence;
import io.millrace.submit.domain.policy.PartitionOpening;
import io.millrace.submit.domain.policy.WaitingJob;
import io.millrace.submit.policy.ShowPriorities;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.Commands;
import io.millrace.submit.store.job.LocalJobs;
import io.millrace.submit.store.job.RunEnds;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the decisions about a job with their reasons and figures. */
@ApplicationScoped
public class ExplainJob {

    /** Maximum number of commands shown for a job; the newest ones. */
    private static final int COMMANDS = 200;

    private final ReadModel model;
    private final LocalJobs localJobs;
    private final LatestEvents facts;
    private final Commands commands;
    private final RunEnds runs;
    private final ShowPriorities priorities;
    private final DecidingServices services;

    ExplainJob(
            final ReadModel model,
            final LocalJobs localJobs,
            final LatestEvents facts,
            final Commands commands,
            final RunEnds runs,
            final ShowPriorities priorities,
            final DecidingServices services) {
        this.model = model;
        this.localJobs = localJobs;
        this.facts = facts;
        this.commands = commands;
        this.runs = runs;
        this.priorities = priorities;
        this.services = services;
    }

    @Transactional
    public JobEvidence global(final Caller caller, final String idOrPrefix) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final List<String> about = new ArrayList<>();
        about.add(shown.stored().job().id().value());
        shown.stored().job().attempts().stream()
                .map(Attempt::localJob)
                .filter(Objects::nonNull)
                .map(JobKey::toString)
                .forEach(about::add);
        return evidence(shown, shown.local(), about, runs.of(shown.stored().job()));
    }

    /**
     * The newest job with an id of a workload manager; a job in the queue before ended ones.
     *
     * @throws RequestRefused if there is none, or it belongs to another user
     */
    @Transactional
    public JobKey newest(final Caller caller, final JobId id) {
        return localJobs
                .newest(id)
                .filter(job -> caller.maySee(job.owner()))
                .map(JobObserved::job)
                .or(() -> runs.newest(id)
                        .filter(run -> caller.maySee(run.owner()))
                        .map(RunEnded::job))
                .orElseThrow(() -> model.notFound(id.cluster(), id.toString()));
    }

    @Transactional
    public JobEvidence local(final Caller caller, final JobKey key) {
        final JobObserved job = localJobs.find(key).orElse(null);
        final List<RunEnded> ended = runs.of(key);
        final boolean visible =
                job != null && caller.maySee(job.owner()) || ended.stream().anyMatch(run -> caller.maySee(run.owner()));
        if (!visible) {
            throw model.notFound(key.cluster(), key.toString());
        }
        return evidence(null, job, List.of(key.toString()), ended);
    }

    private JobEvidence evidence(
            final ReadModel.@Nullable JobDetails shown,
            final @Nullable JobObserved local,
            final List<String> about,
            final List<RunEnded> ended) {
        final List<CommandHistory> history = commands.bySubject(about, COMMANDS);
        final List<Entitlement> entitlements = facts.bySubject(about, Entitlement.class);
        return new JobEvidence(
                shown == null ? null : shown.stored(),
                local,
                entitlements,
                facts.bySubject(about, Plan.class),
                facts.bySubject(about, Classified.class),
                history,
                facts.bySubject(about, Transfer.class),
                facts.bySubject(about, StagedCopy.class),
                ended,
                local == null ? List.of() : openings(local, entitlements),
                services.stalled());
    }

    private List<PartitionOpening> openings(final JobObserved job, final List<Entitlement> entitlements) {
        final PriorityRules rules = priorities.rules().rules();
        if (rules.overflowRules().isEmpty() || !job.state().isWaiting()) {
            return List.of();
        }
        return entitlements.stream()
                .filter(entitlement -> entitlement.job().equals(job.job()))
                .flatMap(entitlement -> PartitionOpening.of(
                        new WaitingJob(job, entitlement),
                        rules,
                        priorities.partitions().partitionsOf(job.cluster()))
                        .stream())
                .toList();
    }
}
