package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.FilterRule;
import io.millrace.submit.domain.log.EventSerializer;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class DryRunIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ClusterId ETNA = ClusterId.of("etna");
    private static final ClusterId FUJI = ClusterId.of("fuji");
    private static final String SCRIPT =
            "#!/bin/bash\n#SBATCH -n 3 -t 10 --mail-type=END\n#SBATCH --distribution=block\n./x\n";

    @Inject
    EntityManager rows;

    @Inject
    EventSerializer text;

    @AfterEach
    void only_the_scenes_clusters_remain() {
        for (final ClusterId cluster : List.of(ETNA, FUJI)) {
            TestData.gone(new OutgoingEvent.Remove(Topic.CLUSTER_STATE, SiteMappingObserved.keyOf(cluster), cluster));
            final String gone = TestData.gone(
                    new OutgoingEvent.Remove(Topic.CLUSTER_STATE, RevisionClosed.keyOf(cluster), cluster));
            assertThat(ApiClient.as("anna")
                            .get("/api/v1/jobs", "Millrace-Offset", gone)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void each_cluster_that_can_is_asked_as_the_user_and_answers_for_itself() throws Exception {
        final ApiClient anna = ApiClient.as("anna");
        TestData.clusters();
        TestData.publish(
                new SiteMappingObserved(FUJI, true, Map.of(), Map.of(), Map.of()).accepting(Set.of(TestData.ALPHA)));
        TestData.publish(marker(FUJI));
        TestData.publish(new SiteMappingObserved(
                        ETNA,
                        false,
                        Map.of(UserName.of("anna"), UserName.of("a007")),
                        Map.of(),
                        Map.of("gcc", List.of("gcc/13")))
                .accepting(Set.of(TestData.ALPHA)));
        final String known = TestData.publish(marker(ETNA));
        assertThat(anna.get("/api/v1/jobs", "Millrace-Offset", known).status()).isEqualTo(200);

        final CompletableFuture<Command> asked = CompletableFuture.supplyAsync(this::askedOfEtna);
        final CompletableFuture<Void> said = asked.thenAccept(command -> TestData.publish(answer(command)));
        final ApiClient.Answer answer;
        final FileRequest measured;
        try (FakeFileAgent files = new FakeFileAgent("anna")) {
            final CompletableFuture<FileRequest> measuring = CompletableFuture.supplyAsync(() -> {
                final FileRequest request = files.requests(1).getFirst();
                TestData.publish(new FileAnswer(request.id(), request.cluster(), new FileResult.CopySize(12, 3_456)));
                return request;
            });
            answer = anna.post("/api/v1/jobs/dry-run", body(SCRIPT));
            measured = measuring.join();
        }
        said.join();

        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.body().path("job").path("cores").asInt()).isEqualTo(3);
        assertThat(answer.body().path("job").path("walltime").asText()).isEqualTo("PT10M");
        assertThat(answer.body().path("inputs").toString()).isEqualTo("{\"files\":12,\"bytes\":3456}");
        assertThat(measured.cluster()).isEqualTo(ClusterId.of("alpha"));
        assertThat(measured.directory()).isEqualTo("/home/anna/run");
        assertThat(measured.copyFilter()).extracting(FilterRule::value).containsExactly("- *.tmp");
        final JsonNode etna = cluster(answer, "etna");
        assertThat(etna.path("verdict").asText()).isEqualTo("accepted");
        assertThat(etna.path("command").toString()).isEqualTo("[\"qsub\",\"-m\",\"e\"]");
        assertThat(etna.path("ignoredOptions").get(0).asText()).contains("line 3");
        assertThat(cluster(answer, "fuji").path("verdict").asText()).isEqualTo("refused");
        assertThat(cluster(answer, "fuji").path("reason").asText())
                .contains("user 'anna' has no account on this cluster");
        assertThat(cluster(answer, "alpha").path("verdict").asText()).isEqualTo("unknown");

        final Command command = asked.join();
        assertThat(command.issuer()).isEqualTo(Issuer.SUBMIT);
        assertThat(command.action()).isInstanceOfSatisfying(Action.DryRun.class, run -> {
            assertThat(run.owner()).isEqualTo(UserName.of("anna"));
            assertThat(run.directory()).startsWith("/stage/anna/");
            assertThat(run.spec().script()).isEqualTo(SCRIPT);
            assertThat(run.spec().environment()).containsEntry("MILLRACE_OPTIONS", "'--qos' 'high'");
            assertThat(run.signature()).isNotBlank();
        });
        assertThat(anna.get("/api/v1/jobs?limit=500").response().body()).doesNotContain("dry one");

        final JsonNode shown = cluster(anna.get("/api/v1/clusters"), "etna");
        assertThat(shown.path("notes").path("dry_run").asText()).isEqualTo("as far as it goes");
        assertThat(shown.path("account").asText()).isEqualTo("a007");
        assertThat(shown.path("software").path("gcc").get(0).asText()).isEqualTo("gcc/13");
        assertThat(cluster(anna.get("/api/v1/clusters"), "fuji")
                        .path("callerHasAccount")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void what_is_no_job_is_refused_at_the_door() throws Exception {
        TestData.clusters();
        final ApiClient.Answer answer =
                ApiClient.as("anna").post("/api/v1/jobs/dry-run", body("#!/bin/sh\n#PBS -l walltime=x\n"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("errors").toString()).contains("line 2").contains("hh:mm:ss");
    }

    private Command askedOfEtna() {
        final long deadline = System.nanoTime() + 300_000_000_000L;
        while (System.nanoTime() < deadline) {
            final List<?> bodies = QuarkusTransaction.requiringNew()
                    .call(() -> rows.createNativeQuery("select body from command where id like 'submit:dry-run:%'")
                            .getResultList());
            for (final Object body : bodies) {
                final Command command = text.read(String.valueOf(body), Command.class);
                if (command.cluster().equals(ETNA)) {
                    return command;
                }
            }
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
        throw new IllegalStateException("etna was never asked");
    }

    private static Outcome answer(final Command command) {
        return command.outcome(
                Result.Done.dryRun(
                        "rehearsed",
                        new DryRunResult(
                                List.of("qsub", "-m", "e"),
                                SCRIPT,
                                List.of("line 3: #SBATCH --distribution=block: only Slurm has this"),
                                List.of())),
                Instant.now());
    }

    private static JsonNode cluster(final ApiClient.Answer answer, final String name) {
        for (final JsonNode cluster : answer.body().path("clusters")) {
            if (cluster.path("cluster").asText(cluster.path("name").asText()).equals(name)) {
                return cluster;
            }
        }
        throw new AssertionError(
                "no cluster " + name + " in " + answer.response().body());
    }

    private static String body(final String script) throws Exception {
        return JSON.writeValueAsString(Map.of(
                "script",
                script,
                "name",
                "dry one",
                "source",
                "alpha",
                "directory",
                "/home/anna/run",
                "options",
                List.of("--qos", "high"),
                "inputFilter",
                List.of("- *.tmp")));
    }

    private static RevisionClosed marker(final ClusterId cluster) {
        return new RevisionClosed(
                cluster,
                1,
                Instant.now(),
                new WlmHealth.Answering(),
                Control.NATIVE,
                "pbspro",
                Resources.cores(16),
                Resources.cores(16),
                Set.of(Capability.DRY_RUN),
                0,
                "/stage",
                null,
                Map.of(Capability.DRY_RUN, "as far as it goes"));
    }
}
