package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.job.GlobalJobState;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.domain.job.StoredJob;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.job.GlobalJobs;
import io.millrace.submit.store.job.LocalJobs;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds global jobs that a caller may see. */
@ApplicationScoped
public class ReadModel {

    private static final Pattern PREFIX = Pattern.compile("[0-9A-Za-z]{4,26}");
    private static final int CANDIDATES = 5;

    private final GlobalJobs jobs;
    private final LocalJobs localJobs;
    private final Clusters clusters;

    ReadModel(final GlobalJobs jobs, final LocalJobs localJobs, final Clusters clusters) {
        this.jobs = jobs;
        this.localJobs = localJobs;
        this.clusters = clusters;
    }

    /**
     * A global job with its local job.
     *
     * @param local the local job while it is in a queue
     */
    public record JobDetails(StoredJob stored, @Nullable JobObserved local) {}

    /** Available cores by cluster. */
    @Transactional
    public Map<ClusterId, Integer> clusterCores() {
        return clusters.all().stream()
                .map(ClusterStatus::marker)
                .collect(Collectors.toMap(
                        RevisionClosed::cluster, marker -> marker.total().cores()));
    }

    @Transactional
    public Optional<StoredJob> job(final GlobalJobId id) {
        return jobs.find(id);
    }

    /**
     * The job with this id or unique prefix.
     *
     * @throws RequestRefused if the caller may see no such job, or if the prefix is ambiguous
     */
    @Transactional
    public JobDetails job(final Caller caller, final String idOrPrefix) {
        if (!PREFIX.matcher(idOrPrefix).matches()) {
            throw RequestRefused.notFound(
                    "'" + idOrPrefix + "' is not a valid job id; use 26 letters and digits, or at least the first 4");
        }
        final UserName owner = caller.operator() ? null : caller.user();
        final List<StoredJob> found = jobs.withPrefix(idOrPrefix.toUpperCase(Locale.ROOT), owner, CANDIDATES);
        if (found.isEmpty()) {
            throw RequestRefused.notFound("job '" + idOrPrefix + "' not found");
        }
        if (found.size() > 1) {
            final List<GlobalJobId> ids =
                    found.stream().map(stored -> stored.job().id()).toList();
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "job id prefix '" + idOrPrefix + "' is ambiguous: " + ids + "; add more characters");
        }
        return shown(found).getFirst();
    }

    @Transactional
    public Optional<JobDetails> shown(final GlobalJobId id) {
        return jobs.find(id).map(stored -> shown(List.of(stored)).getFirst());
    }

    /** Jobs that match, newest first. The caller must have authorized access to jobs of other users. */
    @Transactional
    public List<JobDetails> jobs(final JobFilter filter) {
        return shown(jobs.list(filter));
    }

    private List<JobDetails> shown(final List<StoredJob> stored) {
        final List<JobKey> keys = new ArrayList<>();
        stored.stream().map(ReadModel::localKey).filter(Objects::nonNull).forEach(keys::add);
        final Map<JobKey, JobObserved> locals = localJobs.find(keys);
        return stored.stream()
                .map(job -> {
                    final JobKey key = localKey(job);
                    return new JobDetails(job, key == null ? null : locals.get(key));
                })
                .toList();
    }

    private static @Nullable JobKey localKey(final StoredJob stored) {
        return stored.job().state() instanceof GlobalJobState.Submitted submitted ? submitted.localJob() : null;
    }
}
