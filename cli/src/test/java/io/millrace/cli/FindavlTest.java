package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.text.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FindavlTest {

    private static final String CLUSTERS = """
        {"clusters": [
          {"name": "gamma", "health": "unavailable", "wlm": "lsf 10.1", "control": "native",
           "total": {"cores": 8}, "free": {"cores": 8},
           "reason": "the agent has not reported since 2026-03-01T12:00:00Z; the state of the cluster is unknown"},
          {"name": "alpha", "health": "answering", "wlm": "slurm 23.02", "control": "directed",
           "total": {"cores": 16}, "free": {"cores": 4}, "queue": {"running": {"jobs": 3}, "held": {"jobs": 2}}},
          {"name": "beta", "health": "stale", "wlm": "pbs 23.06", "control": "directed",
           "total": {"cores": 16}, "free": {"cores": 16}, "queue": {"running": {"jobs": 1}},
           "reason": "state of 2026-03-01T12:00:00Z: qstat did not answer within 10 s"}]}
        """;

    @Test
    void clusters_whose_state_is_unknown_are_shown_as_such_and_without_idle_cores() throws Exception {
        final JsonNode answer = json(CLUSTERS);

        final List<String> lines = Findavl.table(
                        Findavl.available(answer, new Findavl.Shape(1, 0, 0)), Findavl.unknown(answer))
                .lines(Terminal.of(Map.of()));

        assertThat(lines.stream().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "CLUSTER IDLE CORES RUNNING WAITING CONTROL STATE WLM",
                        "alpha 4 16 3 2 directed answering slurm 23.02",
                        "beta - 16 - - directed stale pbs 23.06",
                        "gamma - 8 - - native unavailable lsf 10.1");
    }

    @Test
    void the_sites_names_for_partitions_come_before_those_of_the_cluster() throws Exception {
        final JsonNode answer = json("""
            {"clusters": [
              {"name": "alpha", "health": "answering", "wlm": "slurm 23.02", "free": {"cores": 4},
               "partitions": [{"name": "a100"}, {"name": "debug"}, {"name": "main"}],
               "sitePartitions": {"gpu": {"partitions": ["a100"]}, "normal": {"partitions": ["main"]}}}]}
            """);

        final List<String> lines = Findavl.table(
                        Findavl.available(answer, new Findavl.Shape(1, 0, 0)), Findavl.unknown(answer))
                .lines(Terminal.of(Map.of()));

        assertThat(lines.getFirst().strip()).endsWith("WLM          PARTITIONS");
        assertThat(lines.getLast().strip()).endsWith("slurm 23.02  gpu,normal,debug");
    }

    @Test
    void a_cluster_that_does_not_answer_is_never_available() throws Exception {
        assertThat(Findavl.available(json(CLUSTERS), new Findavl.Shape(8, 0, 0)))
                .isEmpty();
    }

    @Test
    void a_cluster_is_available_if_its_idle_resources_fit_the_requested_shape() throws Exception {
        final JsonNode answer = json("""
            {"clusters": [
              {"name": "alpha", "health": "answering", "free": {"cores": 16, "memoryMib": 65536, "gpus": 0}},
              {"name": "beta", "health": "answering", "free": {"cores": 16, "memoryMib": 4096, "gpus": 2}},
              {"name": "gamma", "health": "answering", "free": {"cores": 8, "memoryMib": 65536, "gpus": 2}}]}
            """);
        assertThat(names(answer, new Findavl.Shape(16, 0, 0))).containsExactly("alpha", "beta");
        assertThat(names(answer, new Findavl.Shape(16, 4097, 0))).containsExactly("alpha");
        assertThat(names(answer, new Findavl.Shape(1, 4096, 1))).containsExactly("beta", "gamma");
        assertThat(names(answer, new Findavl.Shape(16, 4097, 1))).isEmpty();
    }

    @Test
    void a_cluster_that_would_not_run_the_job_says_why() throws Exception {
        final JsonNode alpha = json("""
            {"name": "alpha", "features": {"ib": 4}, "software": {"gcc": ["GCC/13"]},
             "licences": {"matlab": {"total": 5, "free": 1}}, "stagingFreeMib": 900,
             "maintenance": [{"name": "disks", "from": "2026-03-01T14:00:00Z", "until": "2026-03-01T16:00:00Z", "nodes": []},
                             {"name": "one", "from": "2026-03-01T12:00:00Z", "until": "2026-03-01T16:00:00Z", "nodes": ["n1"]}]}
            """);
        assertThat(veto(alpha, shape(Duration.ofHours(2), List.of("ib"), List.of("gcc"), Map.of("matlab", 1), 900)))
                .isEmpty();
        assertThat(veto(alpha, shape(null, List.of("ib", "gpu"), List.of(), Map.of(), 0)))
                .hasValue("has no features 'gpu' (features-missing)");
        assertThat(veto(alpha, shape(null, List.of(), List.of("lammps"), Map.of(), 0)))
                .hasValue("has no software 'lammps' (software-missing)");
        assertThat(veto(alpha, shape(null, List.of(), List.of(), Map.of("matlab", 2), 0)))
                .hasValue("has 1 of 5 tokens of licence 'matlab' free (licences-in-use)");
        assertThat(veto(alpha, shape(null, List.of(), List.of(), Map.of("ansys", 1), 0)))
                .hasValue("has 0 of 0 tokens of licence 'ansys' free (exceeds-licences)");
        assertThat(veto(alpha, shape(null, List.of(), List.of(), Map.of(), 901)))
                .hasValue("has 900 MiB free for files (disk-full)");
        assertThat(veto(alpha, shape(Duration.ofHours(3), List.of(), List.of(), Map.of(), 0)))
                .hasValue("is in maintenance 'disks' from 2026-03-01T14:00:00Z to 2026-03-01T16:00:00Z (maintenance)");
        assertThat(veto(json("{}"), shape(Duration.ofHours(3), List.of(), List.of("gcc"), Map.of("matlab", 1), 9)))
                .as("nothing is known")
                .isEmpty();
    }

    private static Optional<String> veto(final JsonNode cluster, final Findavl.Shape shape) {
        return shape.veto(cluster, Instant.parse("2026-03-01T12:00:00Z"));
    }

    private static Findavl.Shape shape(
            final @Nullable Duration walltime,
            final List<String> features,
            final List<String> software,
            final Map<String, Integer> licences,
            final long diskMib) {
        return new Findavl.Shape(1, 0, 0, walltime, features, software, licences, diskMib);
    }

    private static List<String> names(final JsonNode answer, final Findavl.Shape shape) {
        return Findavl.available(answer, shape).stream()
                .map(cluster -> cluster.path("name").asText())
                .toList();
    }

    @Test
    void a_drained_cluster_is_not_available_and_says_why() throws Exception {
        final JsonNode answer = json("""
            {"clusters": [{"name": "alpha", "health": "answering", "free": {"cores": 16}, "total": {"cores": 16},
              "availability": {"status": "drained", "author": "olga", "reason": "new cooling", "version": 1}}]}
            """);
        assertThat(names(answer, new Findavl.Shape(1, 0, 0))).isEmpty();
        assertThat(Findavl.warnings(Findavl.unknown(answer), json("{}")))
                .containsExactly("alpha is drained: new cooling");
    }

    @Test
    void the_reasons_and_the_stalled_services_are_warnings() throws Exception {
        final JsonNode services = json("""
            {"services": [
              {"name": "quota-service", "decidedAt": "2026-03-01T12:00:00Z", "stalled": false},
              {"name": "migration-service", "decidedAt": "2026-03-01T02:20:45Z", "stalled": true,
               "reason": "migration-service has not decided since 2026-03-01T02:20:45Z: see its log"}]}
            """);

        assertThat(Findavl.warnings(Findavl.unknown(json(CLUSTERS)), services))
                .containsExactly(
                        "beta is stale: state of 2026-03-01T12:00:00Z: qstat did not answer within 10 s",
                        "gamma is unavailable: the agent has not reported since 2026-03-01T12:00:00Z;"
                                + " the state of the cluster is unknown",
                        "migration-service has not decided since 2026-03-01T02:20:45Z: see its log");
    }

    @Test
    void an_agent_that_cannot_take_control_is_a_warning() throws Exception {
        final JsonNode clusters = json("""
            {"clusters": [{"name": "lava", "health": "answering", "control": "native",
              "reason": "cannot switch to directed control: badmin failed"},
             {"name": "alpha", "health": "answering", "control": "directed"}]}
            """);

        assertThat(Findavl.problems(clusters))
                .containsExactly("lava stays under native control: cannot switch to directed control: badmin failed");
    }

    @Test
    void an_unsupported_version_of_a_workload_manager_is_a_warning_while_the_cluster_is_in_service() throws Exception {
        final JsonNode clusters = json("""
            {"clusters": [{"name": "alpha", "health": "answering", "control": "directed",
              "unsupportedVersion": "slurm 27.11.1 is not a supported version (22.05 to 26.05)"},
             {"name": "beta", "health": "stale", "control": "directed", "reason": "qstat did not answer",
              "unsupportedVersion": "pbs 13.1 is not a supported version (14 to 23.06)"}]}
            """);

        assertThat(Findavl.problems(clusters))
                .containsExactly("alpha: slurm 27.11.1 is not a supported version (22.05 to 26.05)");
    }

    private static JsonNode json(final String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }
}
