package io.millrace.submit.projection;

import io.millrace.model.AttemptId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.submit.domain.job.JobChange;
import io.millrace.submit.domain.log.ProjectedRecord;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.Offsets;
import io.millrace.submit.store.job.Commands;
import io.millrace.submit.store.job.GlobalJobs;
import io.millrace.submit.store.job.JobChanges;
import io.millrace.submit.store.job.LocalJobs;
import io.millrace.submit.store.job.RunEnds;
import io.millrace.submit.store.ledger.LedgerStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Applies records of the log to the read model. Rows and offsets are written in one transaction. Records below the stored offset are
 * skipped, so a repeated batch, or one of an instance that lost its partition, changes nothing.
 */
@ApplicationScoped
public class UpdateReadModel {

    private final Offsets offsets;
    private final GlobalJobs jobs;
    private final LocalJobs localJobs;
    private final Clusters clusters;
    private final LatestEvents facts;
    private final Commands commands;
    private final RunEnds runs;
    private final LedgerStore ledger;
    private final JobChanges changes;

    UpdateReadModel(
            final Offsets offsets,
            final GlobalJobs jobs,
            final LocalJobs localJobs,
            final Clusters clusters,
            final LatestEvents facts,
            final Commands commands,
            final RunEnds runs,
            final LedgerStore ledger,
            final JobChanges changes) {
        this.offsets = offsets;
        this.jobs = jobs;
        this.localJobs = localJobs;
        this.clusters = clusters;
        this.facts = facts;
        this.commands = commands;
        this.runs = runs;
        this.ledger = ledger;
        this.changes = changes;
    }

    /** Applies records in the order of the log within each partition. */
    @Transactional
    public void apply(final List<ProjectedRecord> records) {
        final ReadModelBatch batch = new ReadModelBatch();
        final Map<Offsets.Partition, List<ProjectedRecord>> partitions =
                records.stream().collect(Collectors.groupingBy(record -> Offsets.Partition.of(record.position())));
        final Offsets.Locked locked = offsets.lock(partitions.keySet());
        partitions.forEach((partition, its) -> {
            final long next = locked.next(partition);
            its.stream().filter(record -> record.position().offset() >= next).forEach(batch::add);
            locked.advance(partition, its.getLast().position().offset() + 1);
        });
        store(batch);
    }

    private void store(final ReadModelBatch batch) {
        final List<JobObserved> moved = localJobs.put(batch.localJobs());
        feed(batch.jobEvents(), moved);
        clusters.put(batch.markers().values());
        clusters.remove(batch.removedClusters());
        facts.put(batch.facts());
        commands.issued(batch.commands());
        commands.answered(batch.outcomes());
        batch.runs().forEach((at, end) -> runs.ended(end, at));
        ledger.store(batch.ledger());
    }

    /** Applies the events of global jobs and adds each change, of a job or of its local job, to the feed. */
    private void feed(final List<Event> events, final List<JobObserved> moved) {
        final List<GlobalJobId> movedJobs = moved.stream()
                .map(JobObserved::attempt)
                .filter(Objects::nonNull)
                .map(AttemptId::job)
                .toList();
        final GlobalJobs.Loaded loaded =
                jobs.load(Stream.concat(events.stream().map(UpdateReadModel::job), movedJobs.stream())
                        .toList());
        final List<GlobalJob> changed = new ArrayList<>();
        for (final Event event : events) {
            if (isChange(event, loaded)) {
                loaded.job(job(event)).ifPresent(changed::add);
            }
        }
        movedJobs.forEach(id -> loaded.job(id).ifPresent(changed::add));
        final List<GlobalJob> shown = Stream.concat(loaded.written().stream(), movedJobs.stream())
                .distinct()
                .flatMap(id -> loaded.job(id).stream())
                .toList();
        final Map<JobKey, JobObserved> locals = localJobs.find(Stream.concat(shown.stream(), changed.stream())
                .flatMap(job -> local(job).stream())
                .toList());
        changes.add(JobChange.withoutRepetitions(changed.stream()
                .map(job -> change(job, loaded.state(job, observed(job, locals))))
                .toList()));
        shown.forEach(job -> loaded.show(job, observed(job, locals)));
    }

    private static @Nullable JobObserved observed(final GlobalJob job, final Map<JobKey, JobObserved> locals) {
        return local(job).map(locals::get).orElse(null);
    }

    private static GlobalJobId job(final Event event) {
        return switch (event) {
            case SubmissionEvent about -> about.job();
            case GlobalJob job -> job.id();
            default -> throw new IllegalStateException(event + " is not an event of a global job");
        };
    }

    private static boolean isChange(final Event event, final GlobalJobs.Loaded loaded) {
        return switch (event) {
            case JobSubmitted job -> loaded.submitted(job);
            case StopRequested stop -> loaded.stop(stop);
            case HoldRequested hold -> false; // migration-service publishes the held job
            case ReleaseRequested release -> false;
            case AlterRequested change -> false;
            case GlobalJob job -> loaded.changed(job);
            default -> throw new IllegalStateException(event + " is not an event of a global job");
        };
    }

    private static JobChange change(final GlobalJob job, final JobStatus state) {
        final Attempt attempt = job.attempt();
        return new JobChange(
                0,
                job.id(),
                job.submission().owner(),
                state,
                job.state().word(),
                attempt == null ? null : attempt.cluster(),
                job.since());
    }

    private static Optional<JobKey> local(final GlobalJob job) {
        return job.state() instanceof GlobalJobState.Submitted submitted
                ? Optional.ofNullable(submitted.localJob())
                : Optional.empty();
    }
}
