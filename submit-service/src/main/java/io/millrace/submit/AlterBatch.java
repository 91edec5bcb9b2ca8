package io.millrace.submit;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.JobAlteration;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes each job of a batch that can take the change. */
@ApplicationScoped
public class AlterBatch {

    private static final int NAMED_REASONS = 10;

    private final ReadModel model;
    private final AlterJob alter;
    private final AlterLocalJob localJobs;
    private final PublishJobRequest requests;

    AlterBatch(
            final ReadModel model,
            final AlterJob alter,
            final AlterLocalJob localJobs,
            final PublishJobRequest requests) {
        this.model = model;
        this.alter = alter;
        this.localJobs = localJobs;
        this.requests = requests;
    }

    /** Why jobs were not changed. The reason names the first of them. */
    public record Refusal(String reason, int jobs) {}

    /**
     * A requested change.
     *
     * @param requested the number of jobs it was requested for
     * @param refused the number of unfinished jobs for which it is not possible
     * @param refusals the most frequent reasons
     * @param position on the log; null if it was requested for no job
     */
    public record Altered(
            BatchId batch,
            int requested,
            int refused,
            List<Refusal> refusals,
            @Nullable LogPosition position) {}

    /**
     * Requests the change of all jobs; those in the queues of their clusters are changed there first.
     *
     * @throws RequestRefused if the batch does not exist for the caller, all its jobs have ended, or the change is invalid
     */
    public Altered alter(
            final Caller caller, final BatchId batch, final Function<GlobalJob, JobAlteration> validation) {
        final Map<GlobalJobId, RequestRefused> refused = new LinkedHashMap<>();
        final List<AlterJob.Prepared> possible = new ArrayList<>();
        for (final ReadModel.JobDetails job : model.unfinished(caller, batch)) {
            try {
                possible.add(alter.prepare(caller, job, validation));
            } catch (final RequestRefused refusal) {
                if (refusal.kind() != RequestRefused.Kind.CONFLICT) {
                    throw refusal;
                }
                refused.put(job.stored().job().id(), refusal);
            }
        }
        final List<AlterLocalJob.Requested> placed = new ArrayList<>();
        for (final AlterJob.Prepared one : possible) {
            if (one.local() != null) {
                placed.add(new AlterLocalJob.Requested(one.job(), one.local()));
            }
        }
        refused.putAll(localJobs.alter(caller, placed));
        final List<SubmissionEvent> changes = new ArrayList<>();
        possible.stream()
                .filter(one -> !refused.containsKey(one.job().id()))
                .forEach(one -> changes.add(alter.recorded(caller, one)));
        return new Altered(
                batch,
                changes.size(),
                refused.size(),
                refusals(refused),
                changes.isEmpty() ? null : requests.publish(caller, batch, changes, "change requested"));
    }

    private static List<Refusal> refusals(final Map<GlobalJobId, RequestRefused> refused) {
        final Map<String, Refusal> byReason = new LinkedHashMap<>();
        refused.forEach((job, refusal) -> byReason.merge(
                refusal.reason().replace("job " + job, "the job"),
                new Refusal(refusal.reason(), 1),
                (known, next) -> new Refusal(known.reason(), known.jobs() + 1)));
        return byReason.values().stream()
                .sorted(Comparator.comparingInt(Refusal::jobs).reversed())
                .limit(NAMED_REASONS)
                .toList();
    }
}
