package io.millrace.submit.rest.priority;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobStatus;
import io.millrace.model.policy.Entitlement;
import io.millrace.submit.domain.policy.JobRanking.Ranked;
import io.millrace.submit.domain.policy.WaitingJob;
import io.millrace.submit.rest.jobs.LocalJobView;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A waiting job with its priority and its rank on its cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "RankedJob")
public record RankedJobView(
        @Schema(description = "cluster/id@submit-time") String job,
        String cluster,
        String id,
        String name,
        String user,
        @Nullable String project,

        @Schema(description = "Number of the global job; absent if it was submitted to the cluster directly") @Nullable
        String number,

        @Schema(description = "Attempt of a global job: ULID.number") @Nullable
        String attempt,

        @Schema(description = "Partition in which it waits") String partition,

        @Schema(ref = "JobState") String state,
        int cores,

        @Schema(enumeration = {"guaranteed", "borrowed", "held"})
        String level,

        long priority,

        @Schema(description = "Rank among all waiting jobs of the cluster, from 1")
        int rank,

        List<LocalJobView.TermView> terms,

        @Schema(description = "Other partitions that its priority opens, in order of preference")
        List<String> otherPartitions,

        @Schema(description = "Under the preview rules; only in a preview") @Nullable
        Long previewPriority,

        @Schema(description = "Under the preview rules; only in a preview") @Nullable
        Integer previewRank,

        @Schema(description = "Under the preview rules; only in a preview") @Nullable
        List<String> previewPartitions) {

    /** @param numbers of global jobs */
    static RankedJobView now(final Ranked ranked, final Map<GlobalJobId, JobNumber> numbers) {
        return of(ranked, numbers, null, null, null);
    }

    /** @param numbers of global jobs */
    static RankedJobView preview(final Ranked ranked, final Map<GlobalJobId, JobNumber> numbers) {
        final Entitlement then = ranked.preview().entitlement();
        return of(
                ranked,
                numbers,
                then.priority(),
                ranked.previewRank(),
                PartitionOverflowView.names(then.otherPartitions()));
    }

    private static RankedJobView of(
            final Ranked ranked,
            final Map<GlobalJobId, JobNumber> numbers,
            final @Nullable Long thenPriority,
            final @Nullable Integer thenRank,
            final @Nullable List<String> previewPartitions) {
        final WaitingJob waiting = ranked.current();
        final AttemptId attempt = waiting.job().attempt();
        return new RankedJobView(
                waiting.job().job().toString(),
                waiting.job().cluster().value(),
                waiting.job().job().id().local(),
                waiting.job().name(),
                waiting.job().owner().value(),
                Objects.toString(waiting.job().project(), null),
                attempt == null ? null : Objects.toString(numbers.get(attempt.job()), null),
                Objects.toString(attempt, null),
                waiting.job().partition().value(),
                JobStatus.of(waiting.job()).word(),
                waiting.job().resources().cores(),
                waiting.entitlement().level().name().toLowerCase(Locale.ROOT),
                waiting.entitlement().priority(),
                ranked.rank(),
                Objects.requireNonNull(LocalJobView.TermView.of(waiting.terms())),
                PartitionOverflowView.names(waiting.entitlement().otherPartitions()),
                thenPriority,
                thenRank,
                previewPartitions);
    }
}
