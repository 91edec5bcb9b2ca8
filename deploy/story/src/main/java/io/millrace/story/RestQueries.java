package io.millrace.story;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The parts of the REST API that the scenarios read, as an operator. */
public final class RestQueries {

    /** A cluster and its cores. */
    public record ClusterLine(String name, String wlm, String control, int total, int free) {}

    /** A job submitted to Millrace. */
    public record GlobalJob(
            String number,
            String name,
            String owner,
            String state,
            String stage,
            String cluster,
            String detail,
            boolean isOver) {}

    private final RestClient api;

    public RestQueries(final RestClient api) {
        this.api = api;
    }

    public List<ClusterLine> clusters() {
        return each(api.get("/clusters").path("clusters"))
                .map(node -> new ClusterLine(
                        text(node, "name"),
                        text(node, "wlm"),
                        text(node, "control"),
                        node.path("total").path("cores").asInt(),
                        node.path("free").path("cores").asInt()))
                .toList();
    }

    public List<QueueMonitor.Row> localJobs(final String cluster) {
        return each(api.get("/clusters/" + cluster + "/jobs?limit=500").path("jobs"))
                .map(node -> new QueueMonitor.Row(
                        text(node, "job"),
                        text(node, "name"),
                        text(node, "user"),
                        cluster,
                        text(node, "state"),
                        node.path("cores").asInt(),
                        instant(node.path("startedAt")),
                        each(node.path("plans"))
                                .map(plan -> instant(plan.path("predictedStart")))
                                .filter(start -> start != null)
                                .findFirst()
                                .orElse(null),
                        why(node)))
                .toList();
    }

    private static String why(final JsonNode job) {
        final String plan = each(job.path("plans"))
                .map(node -> text(node, "reason"))
                .findFirst()
                .orElse("");
        final String right = text(job.path("entitlement"), "level");
        return text(job, "state").equals("running") || plan.isEmpty()
                ? right + " " + text(job.path("entitlement"), "reason")
                : right + "; " + plan;
    }

    public List<GlobalJob> globalJobs() {
        return each(api.get("/jobs?limit=500").path("jobs"))
                .map(RestQueries::globalJob)
                .toList();
    }

    /** The jobs of a batch in the read model, by the name of their directory. */
    public Map<String, GlobalJob> batch(final String id) {
        return each(api.get("/jobs?limit=500&batch=" + id).path("jobs"))
                .collect(Collectors.toMap(
                        node -> text(node, "directory").replaceFirst(".*/", ""), RestQueries::globalJob));
    }

    public GlobalJob globalJob(final String id) {
        return globalJob(api.get("/jobs/" + id));
    }

    /** A job that was accepted and is not in the read model yet is not found. */
    public Optional<GlobalJob> findGlobalJob(final String id) {
        return api.find("/jobs/" + id).map(RestQueries::globalJob);
    }

    private static GlobalJob globalJob(final JsonNode node) {
        return new GlobalJob(
                text(node, "number"),
                text(node, "name"),
                text(node, "user"),
                text(node, "state"),
                text(node, "stage"),
                text(node, "cluster"),
                text(node, "reason"),
                node.path("finished").asBoolean());
    }

    /** A command to an agent about one job. */
    public record Order(
            String by,
            String action,
            String reason,
            Instant issued,
            String result,
            @Nullable Instant answered) {}

    /** A run that has ended. */
    public record Run(@Nullable Instant started, Instant ended, String how, long lostCoreSeconds) {}

    /** The commands to a local job that the API still returns. */
    public List<Order> orders(final String job) {
        return each(whyOf(job).path("commands"))
                .filter(node -> node.hasNonNull("issuedAt"))
                .map(node -> new Order(
                        text(node, "service"),
                        text(node, "action"),
                        text(node, "reason"),
                        Instant.parse(text(node, "issuedAt")),
                        text(node, "result"),
                        instant(node.path("answeredAt"))))
                .toList();
    }

    /** The runs of a local job, oldest first. */
    public List<Run> runs(final String job) {
        return each(whyOf(job).path("runs"))
                .map(node -> new Run(
                        instant(node.path("startedAt")),
                        Instant.parse(text(node, "endedAt")),
                        text(node.path("outcome"), "kind"),
                        node.path("lostCoreSeconds").asLong()))
                .sorted(Comparator.comparing(Run::ended))
                .toList();
    }

    /** The explanation of a global job's state, as text. */
    public String why(final String id) {
        return text(api.get("/jobs/" + id + "/why"), "summary");
    }

    /** The explanation of a local job's state, as text. */
    public String whyLocal(final String job) {
        return text(whyOf(job), "summary");
    }

    private JsonNode whyOf(final String job) {
        return api.get("/local-jobs/why?job=" + URLEncoder.encode(job, StandardCharsets.UTF_8));
    }

    private static Stream<JsonNode> each(final JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static String text(final JsonNode node, final String field) {
        return node.path(field).asText("");
    }

    private static @Nullable Instant instant(final JsonNode node) {
        return node.isTextual() ? Instant.parse(node.asText()) : null;
    }
}
