package io.millrace.submit.rest.clusters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.cluster.JobState;
import io.millrace.submit.ShowSchedule;
import io.millrace.submit.domain.job.ScheduledJob;
import io.millrace.submit.domain.Caller;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What occupies the cores of a cluster from when until when. */
@Schema(name = "Schedule")
public record ScheduleView(
        String cluster,
        Instant observedAt,
        int cores,
        List<ScheduledJobView> jobs,

        @Schema(description = "Whether there are more jobs than the limit let through")
        boolean truncated) {

    /** A job over time. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Bar")
    public record ScheduledJobView(
            @Schema(description = "cluster/id@submit-time; absent for other users' jobs") @Nullable
            String job,

            @Schema(description = "Absent for other users' jobs") @Nullable
            String name,

            @Schema(description = "Absent for other users' jobs") @Nullable
            String user,

            @Schema(
                    enumeration = {"running", "shrunk", "reserved", "foreseen"},
                    description = "shrunk: overtook on a shrunk estimate, and may be saved and put back;"
                            + " reserved: the first in order, whom nobody who overtakes may delay")
            String kind,

            int cores,
            Instant from,

            @Schema(description = "When its walltime is over; absent if it has no limit") @Nullable
            Instant until,

            @Schema(description = "Where it runs; absent while it waits") @Nullable
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
                shown.bars().stream()
                        .map(bar -> ScheduledJobView.of(bar, ShowSchedule.maySee(caller, bar)))
                        .toList(),
                shown.more());
    }
}
