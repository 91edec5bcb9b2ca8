package io.millrace.submit.rest.clusters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.cluster.JobState;
import io.millrace.submit.clusters.ShowSchedule;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.job.ScheduledJob;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The jobs of a cluster on a time axis. */
@Schema(name = "Schedule")
public record ScheduleView(
        String cluster,
        Instant observedAt,
        int cores,
        List<ScheduledJobView> jobs,

        @Schema(description = "Whether the cluster has more jobs than the limit")
        boolean truncated) {

    /** A job on the time axis. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Bar")
    public record ScheduledJobView(
            @Schema(description = "cluster/id@submit-time; absent for jobs of other users") @Nullable
            String job,

            @Schema(description = "Absent for jobs of other users") @Nullable
            String name,

            @Schema(description = "Absent for jobs of other users") @Nullable
            String user,

            @Schema(
                    enumeration = {"running", "shortened", "reserved", "predicted"},
                    description = "shortened: backfilled on a shortened estimate, may be checkpointed and requeued;"
                            + " reserved: the head job's reservation, which backfilled jobs may not delay")
            String kind,

            int cores,
            Instant from,

            @Schema(description = "End of its walltime; absent if it has no limit") @Nullable
            Instant until,

            @Schema(description = "Its nodes; absent while it waits") @Nullable
            List<String> nodes) {

        static ScheduledJobView of(final ScheduledJob bar, final boolean named) {
            return new ScheduledJobView(
                    named ? bar.job().job().toString() : null,
                    named ? bar.job().name() : null,
                    named ? bar.job().owner().value() : null,
                    bar.kind().name().toLowerCase(Locale.ROOT),
                    bar.job().resources().cores(),
                    bar.from(),
                    bar.until(),
                    bar.job().state() instanceof JobState.Running running
                            ? running.nodes().stream().map(node -> node.value()).toList()
                            : null);
        }
    }

    static ScheduleView of(final ShowSchedule.Schedule shown, final Caller caller) {
        return new ScheduleView(
                shown.marker().cluster().value(),
                shown.marker().observedAt(),
                shown.marker().total().cores(),
                shown.jobs().stream()
                        .map(bar -> ScheduledJobView.of(bar, ShowSchedule.maySee(caller, bar)))
                        .toList(),
                shown.truncated());
    }
}
