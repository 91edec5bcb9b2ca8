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
        @Schema(description = "cluster/id@submit-time; with the number of the run it names the record")
        String job,

        @Schema(description = "From 1; a job that was put back has several")
        int run,

        @Schema(description = "Tag of a global job's placement: ULID.number") @Nullable
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

        @Schema(description = "The limit asked for, e.g. PT1H; absent: none") @Nullable
        String walltime,

        @Schema(description = "Absent: it ended before it ran") @Nullable
        Instant startedAt,

        Instant endedAt,

        @Schema(description = "Cores x elapsed time") long coreSeconds,

        @Schema(description = "Of work that has to be done again")
        long lostCoreSeconds,

        @Schema(
                description =
                        "exited, signalled, cancelled, timed-out, node-failed; requeued, checkpointed, continued; unknown")
        String outcome,

        @Schema(description = "Exit code or number of the signal") @Nullable
        Integer exitCodeOrSignal,

        @Schema(description = "Who said so, e.g. sacct") String source) {

    /**
     * A page of them.
     *
     * @param next absent: there are no more now
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "UsageRecords")
    public record Page(
            List<UsageRecordView> runs,

            @Schema(description = "Value of 'after' for the next page; absent on the last") @Nullable
            String next) {

        static Page of(final List<StoredRun> runs, final int limit) {
            return new Page(
                    runs.stream().map(run -> UsageRecordView.of(run.run())).toList(),
                    runs.size() < limit ? null : runs.getLast().at().toString());
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
                run.source());
    }
}
