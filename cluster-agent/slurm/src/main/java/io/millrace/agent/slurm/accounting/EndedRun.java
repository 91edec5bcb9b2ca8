package io.millrace.agent.slurm.accounting;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.agent.domain.Run;
import io.millrace.agent.slurm.format.RunOutcomes;
import io.millrace.agent.slurm.format.Tres;
import io.millrace.agent.slurm.query.JobRequest;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ended run, from a line of the completion log, from slurmctld, or from {@code sacct}.
 *
 * @param component number within a heterogeneous job; 0 for every other job
 * @param request what the job requested; null if the source does not contain it
 */
public record EndedRun(
        String job,
        Instant submitted,
        String tag,
        String state,
        int exit,
        @Nullable Instant started,
        Instant ended,
        int restarts,
        int component,
        @Nullable JobRequest request) {

    /** End states after which Slurm may requeue the job, depending on the job's options and the site's settings. */
    private static final Set<String> REQUEUE_POSSIBLE = Set.of("PREEMPTED", "NODE_FAIL", "BOOT_FAIL");

    private static final long NO_VAL = 4_294_967_294L; // NO_VAL; INFINITE is one more

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger LOG = LoggerFactory.getLogger(EndedRun.class);
    private static final String BEGIN = "{\"job\":\"";

    /**
     * Reads all complete lines. A line that was truncated by a full disk or by {@code tail} is skipped; the other sources cover its run.
     */
    static List<EndedRun> lines(final String text) {
        final List<EndedRun> ends = new ArrayList<>();
        for (final String line : text.split("\n")) {
            final int begin = line.lastIndexOf(BEGIN);
            if (begin >= 0 && line.endsWith("}")) {
                try {
                    ends.add(read(line.substring(begin)));
                } catch (final IllegalArgumentException e) {
                    LOG.warn("skipped an invalid line of the completion log: {}", e.getMessage());
                }
            }
        }
        return ends;
    }

    /** @throws IllegalArgumentException if the line was not written by jobcomp.lua */
    public static EndedRun read(final String line) {
        try {
            final JsonNode node = JSON.readTree(line);
            // A job that was cancelled while pending has a start time, equal to its end time, but has no nodes.
            final boolean ran = !node.required("nodes").asText().isEmpty();
            return new EndedRun(
                    node.required("het").asInt() > 0
                            ? node.required("het").asText()
                            : node.required("job").asText(),
                    Instant.ofEpochSecond(node.required("submitted").asLong()),
                    node.required("tag").asText(),
                    node.required("state").asText(),
                    node.required("exit").asInt(),
                    ran ? Instant.ofEpochSecond(node.required("started").asLong()) : null,
                    Instant.ofEpochSecond(node.required("ended").asLong()),
                    node.required("restarts").asInt(),
                    node.required("component").asInt(),
                    request(node));
        } catch (final JsonProcessingException e) {
            throw new IllegalArgumentException("not a line of millrace.ends: " + e.getOriginalMessage(), e);
        }
    }

    /** The last run of an ended job that slurmctld still keeps. */
    public static EndedRun of(final QueuedJob job) {
        final Instant ended = job.instant("endtime");
        return new EndedRun(
                job.localId(),
                job.submitted(),
                job.cell("comment"),
                job.cell("state"),
                job.exitStatus(),
                job.cell("nodelist").isEmpty() ? null : job.instant("starttime"),
                ended == null ? job.submitted() : ended,
                job.restarts(),
                0,
                null);
    }

    private static JobRequest request(final JsonNode node) {
        final Tres tres = Tres.numbered(node.required("tres").asText());
        final long limit_min = node.required("limit").asLong();
        return new JobRequest(
                node.required("name").asText(),
                "",
                node.required("uid").asText(),
                node.required("account").asText(),
                node.required("partition").asText(),
                JobRequest.resources(
                        Math.max(tres.cores(), node.required("cores").asInt()),
                        tres.nodes(),
                        tres.memory_mib(),
                        tres.generic("gpu")),
                limit_min >= NO_VAL ? null : Duration.ofMinutes(limit_min));
    }

    /** The same run with outcome requeued. */
    EndedRun requeued() {
        return new EndedRun(job, submitted, tag, "REQUEUED", exit, started, ended, restarts, component, request);
    }

    EndedRun withRequest(final @Nullable JobRequest other) {
        return new EndedRun(job, submitted, tag, state, exit, started, ended, restarts, component, other);
    }

    /** Whether another run may follow, which only the queue shows. */
    boolean mayBeRequeued() {
        return REQUEUE_POSSIBLE.contains(state);
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, job), submitted);
    }

    public Run run(final ClusterId cluster, final String source) {
        return new Run(key(cluster), restarts + 1, started, ended, RunOutcomes.of(state, exit), source);
    }

    boolean isSameRunAs(final EndedRun other) {
        return job.equals(other.job) && submitted.equals(other.submitted) && restarts == other.restarts;
    }

    public boolean endsTheJob() {
        return RunOutcomes.of(state, exit).endsTheJob();
    }
}
