package io.millrace.submit;

import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.submit.domain.job.JobChange;
import io.millrace.submit.domain.job.JobStateNames;
import io.millrace.submit.domain.job.StoredJob;
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
import java.util.TreeMap;
import java.util.stream.Collectors;

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
        byPartition(records).forEach((partition, its) -> {
            final long next = offsets.lock(
                    its.getFirst().position().topic(), its.getFirst().position().partition());
            its.stream().filter(record -> record.position().offset() >= next).forEach(batch::add);
            final long passed = its.getLast().position().offset() + 1;
            if (passed > next) {
                offsets.advance(
                        its.getFirst().position().topic(),
                        its.getFirst().position().partition(),
                        passed);
            }
        });
        store(batch);
    }

    /** In the same order on all instances, so that two instances that briefly share partitions cannot deadlock. */
    private static Map<String, List<ProjectedRecord>> byPartition(final List<ProjectedRecord> records) {
        return records.stream()
                .collect(Collectors.groupingBy(
                        record -> record.position().topic().topicName() + "/"
                                + record.position().partition(),
                        TreeMap::new,
                        Collectors.toList()));
    }

    private void store(final ReadModelBatch batch) {
        final List<JobChange> feed = new ArrayList<>();
        final List<JobObserved> moved = localJobs.put(batch.localJobs());
        batch.jobEvents().forEach(event -> {
            switch (event) {
                case JobSubmitted job -> changed(jobs.submitted(job), job.job(), feed);
                case StopRequested stop -> changed(jobs.stop(stop), stop.job(), feed);
                case GlobalJob job -> changed(jobs.changed(job), job.id(), feed);
                default -> throw new IllegalStateException(event + " is not an event of a global job");
            }
        });
        moved.stream()
                .map(JobObserved::attempt)
                .filter(Objects::nonNull)
                .forEach(attempt -> changed(true, attempt.job(), feed));
        batch.markers().forEach((cluster, status) -> clusters.put(status.marker(), status.recordedAt()));
        batch.removedClusters().forEach(clusters::remove);
        facts.put(batch.facts());
        commands.issued(batch.commands());
        commands.answered(batch.outcomes());
        batch.runs().forEach((at, end) -> runs.ended(end, at));
        ledger.store(batch.ledger());
        changes.add(feed);
    }

    private void changed(final boolean really, final GlobalJobId id, final List<JobChange> feed) {
        if (really) {
            jobs.find(id).map(this::change).ifPresent(feed::add);
        }
    }

    private JobChange change(final StoredJob stored) {
        final GlobalJob job = stored.job();
        final Attempt attempt = job.attempt();
        final Optional<JobObserved> local = local(job).flatMap(localJobs::find);
        return new JobChange(
                0,
                job.id(),
                job.submission().owner(),
                job.state().word(),
                local.map(observed -> JobStateNames.of(observed.state())).orElse(null),
                attempt == null ? null : attempt.cluster(),
                job.since());
    }

    private static Optional<JobKey> local(final GlobalJob job) {
        return job.state() instanceof GlobalJobState.Submitted submitted
                ? Optional.ofNullable(submitted.localJob())
                : Optional.empty();
    }
}
