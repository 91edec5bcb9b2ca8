package io.millrace.submit.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.domain.usage.StoredRun;
import io.millrace.submit.domain.usage.UsageCsv;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A usage record: one run of a job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "UsageRecord")
public record UsageRecordView(
        @Schema(description = "cluster/id@submit-time; identifies the record together with 'run'")
        String job,

        @Schema(description = "Number of the run, from 1; a requeued job has several runs")
        int run,

        @Schema(description = "Attempt of a global job: ULID.number") @Nullable
        String attempt,

        String name,
        String user,
        @Nullable String project,
        String cluster,
        String partition,
        int cores,
        int nodes,
        long memoryMib,
        int gpus,

        @Schema(description = "Requested limit, e.g. PT1H; absent: none") @Nullable
        String walltime,

        @Schema(description = "Absent: it never started") @Nullable
        Instant startedAt,

        Instant endedAt,

        @Schema(description = "Cores x elapsed time") long coreSeconds,

        @Schema(description = "Work that must be repeated") long lostCoreSeconds,

        @Schema(
                description =
                        "exited, signalled, cancelled, timed-out, out-of-memory, preempted, node-failed; requeued,"
                                + " checkpointed, continued; unknown")
        String outcome,

        @Schema(description = "Exit code or signal number") @Nullable
        Integer exitCodeOrSignal,

        @Schema(description = "Source of the record, e.g. sacct")
        String source,

        @Schema(description = "What the run used; absent: not measured") @Nullable
        ResourceUsageView used) {

    /**
     * A page of usage records.
     *
     * @param next absent on the last page
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "UsageRecords")
    public record Page(
            List<UsageRecordView> runs,

            @Schema(description = "Cursor for 'after' on the next page; absent on the last page") @Nullable
            String next) {

        static Page of(final List<StoredRun> runs, final int limit) {
            return new Page(
                    runs.stream().map(run -> UsageRecordView.of(run.run())).toList(),
                    runs.size() < limit ? null : runs.getLast().cursor().toString());
        }
    }

    static UsageRecordView of(final RunEnded run) {
        return new UsageRecordView(
                run.job().toString(),
                run.run(),
                Objects.toString(run.attempt(), null),
                run.name(),
                run.owner().value(),
                run.project() == null ? null : run.project().value(),
                run.cluster().value(),
                run.partition().value(),
                run.resources().cores(),
                run.resources().nodes(),
                run.resources().memoryMib(),
                run.resources().gpus(),
                Objects.toString(run.walltime(), null),
                run.startedAt(),
                run.endedAt(),
                run.coreSeconds(),
                run.lostCoreSeconds(),
                run.outcome().word(),
                UsageCsv.code(run.outcome()),
                run.source(),
                ResourceUsageView.of(run.used()));
    }
}
