package io.millrace.agent.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.agent.wlm.Run;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A line of {@code millrace.ends}: one run that is over, as {@code jobcomp.lua} noted it. */
record EndedRun(
        String job,
        Instant submitted,
        String tag,
        String state,
        int exit,
        @Nullable Instant started,
        Instant ended,
        int restarts) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** @throws IllegalArgumentException if the line is not one of jobcomp.lua's */
    static EndedRun read(final String line) {
        try {
            final JsonNode node = JSON.readTree(line);
            // A job cancelled while it waited has a start time too (that of its end), but no nodes.
            final boolean ran = !node.required("nodes").asText().isEmpty();
            return new EndedRun(
                    node.required("job").asText(),
                    Instant.ofEpochSecond(node.required("submitted").asLong()),
                    node.required("tag").asText(),
                    node.required("state").asText(),
                    node.required("exit").asInt(),
                    ran ? Instant.ofEpochSecond(node.required("started").asLong()) : null,
                    Instant.ofEpochSecond(node.required("ended").asLong()),
                    node.required("restarts").asInt());
        } catch (final JsonProcessingException e) {
            throw new IllegalArgumentException("not a line of millrace.ends: " + e.getOriginalMessage(), e);
        }
    }

    /** A job that left the queue, as long as slurmctld remembers it. */
    static EndedRun of(final QueuedJob job) {
        final Instant ended = job.instant("endtime");
        return new EndedRun(
                job.localId(),
                job.submitted(),
                job.cell("comment"),
                job.cell("state"),
                (int) job.number("exit_code"),
                job.cell("nodelist").isEmpty() ? null : job.instant("starttime"),
                ended == null ? job.submitted() : ended,
                job.restarts());
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, job), submitted);
    }

    Run run(final ClusterId cluster, final String source) {
        return new Run(key(cluster), restarts + 1, started, ended, Outcomes.of(state, exit), source);
    }

    boolean endsTheJob() {
        return Outcomes.of(state, exit).endsTheJob();
    }
}
