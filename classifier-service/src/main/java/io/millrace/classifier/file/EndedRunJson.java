package io.millrace.classifier.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an ended run as {@code ./millrace history import} writes it: the event {@code millrace.run.ended.v1}. */
final class EndedRunJson {

    /** After such an end, the job runs on. */
    private static final Set<String> NOT_OVER = Set.of("requeued", "checkpointed", "continued");

    private EndedRunJson() {}

    static boolean isRun(final JsonNode node) {
        return node.has("endedAt") && node.has("job") && !node.has("given");
    }

    /** Whether the job has been executed to its end. */
    static boolean isExecuted(final JsonNode run) {
        return run.hasNonNull("startedAt")
                && !NOT_OVER.contains(run.path("outcome").path("kind").asText());
    }

    /** @throws IllegalArgumentException if a field is wrong */
    static JobFacts facts(final JsonNode run) {
        final JsonNode asked = run.path("resources");
        final String project = text(run, "project");
        final String walltime = text(run, "walltime");
        return JobFacts.ofRun(
                JobKey.of(run.path("job").asText()),
                run.path("name").asText(),
                UserName.of(run.path("owner").asText()),
                project == null ? null : ProjectName.of(project),
                PartitionName.of(run.path("partition").asText()),
                new Resources(
                        asked.path("cores").asInt(),
                        asked.path("nodes").asInt(),
                        asked.path("memoryMib").asLong(),
                        asked.path("gpus").asInt()),
                walltime == null ? null : duration(walltime));
    }

    private static Duration duration(final String text) {
        try {
            return Duration.parse(text);
        } catch (final DateTimeParseException e) {
            throw new IllegalArgumentException("walltime '" + text + "' is not a duration such as PT1H30M", e);
        }
    }

    private static @Nullable String text(final JsonNode node, final String field) {
        return node.hasNonNull(field) ? node.get(field).asText() : null;
    }
}
