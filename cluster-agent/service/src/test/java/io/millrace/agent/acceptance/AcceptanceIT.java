package io.millrace.agent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.Intercepted;
import io.millrace.agent.acceptance.CheckResult.Verdict;
import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.local.LocalCluster;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.JobDirectory;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The acceptance test on an embedded cluster of 2 nodes of 2 cores. */
class AcceptanceIT {

    private static final String MAIN = "main";

    private final JobDirectory place = new JobDirectory("millrace-accept-");
    private final boolean asOwner = place.accounts().own().uid() == 0;
    private final List<AdapterAccess> adapters = new ArrayList<>();
    private UnaryOperator<WorkloadManager> faults = UnaryOperator.identity();

    @AfterEach
    void removeTheCluster() {
        adapters.forEach(AdapterAccess::close);
        place.close();
    }

    private static Stream<Control> controls() {
        return Sample.of("AcceptanceIT", Control.values());
    }

    @ParameterizedTest
    @MethodSource("controls")
    void an_embedded_cluster_passes_under_each_control(final Control control) throws IOException {
        onTheCluster(cluster -> cluster.control(control).get());
        final AcceptanceTest test = test(place.owner(), MAIN);

        assertThat(test.refusal()).isEmpty();
        final List<CheckResult> results = test.run(result -> {});
        assertThat(results)
                .filteredOn(result -> result.verdict() == Verdict.FAILED)
                .isEmpty();
        assertThat(results)
                .filteredOn(result -> result.verdict() == Verdict.NOT_SUPPORTED)
                .extracting(CheckResult::detail)
                .satisfiesExactly(
                        array -> assertThat(array).isEqualTo("this workload manager has no arrays"),
                        dependency -> assertThat(dependency).contains("--dependency"),
                        begin -> assertThat(begin).contains("--begin"));
        assertThat(new AcceptanceReport(Map.of(), results).isPassed()).isTrue();
        assertNothingRemains();
    }

    @Test
    void a_cluster_that_loses_exit_codes_fails() {
        faults = wlm -> with(
                wlm,
                Accounting.class,
                "ended",
                answer -> ((Answer<?>) answer)
                        .map(runs -> ((List<?>) runs)
                                .stream().map(run -> withoutExitCode((Run) run)).toList()));

        final List<CheckResult> results = test(place.owner(), MAIN).run(result -> {});
        final CheckResult exact = result(results, "exit codes and signals are exact");
        assertThat(exact.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(exact.detail())
                .contains("Exited[exitCode=0], expected Exited[exitCode=7]")
                .contains("accounting");
        assertThat(new AcceptanceReport(Map.of(), results).isPassed()).isFalse();
        assertNothingRemains();
    }

    private static Run withoutExitCode(final Run run) {
        return run.outcome() instanceof RunOutcome.Exited
                ? new Run(run.job(), run.run(), run.started(), run.ended(), new RunOutcome.Exited(0), run.source())
                : run;
    }

    @Test
    void a_stopped_test_removes_its_jobs_and_files() {
        final AcceptanceTest test = test(place.owner(), MAIN);
        final List<CheckResult> seen = new ArrayList<>();
        final List<CheckResult> results = test.run(result -> {
            seen.add(result);
            if (seen.size() == 1) {
                new Thread(() -> {
                            sleep(1500);
                            test.stop();
                        })
                        .start();
            }
        });

        assertThat(results)
                .filteredOn(result -> result.verdict() == Verdict.NOT_RUN)
                .isNotEmpty();
        assertThat(result(results, "nothing of the test remains").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(new AcceptanceReport(Map.of(), results).isPassed()).isFalse();
        assertNothingRemains();
    }

    @Test
    void root_an_unknown_queue_and_an_active_agent_are_refused() throws IOException {
        assertThat(test(UserName.of("root"), MAIN).refusal()).get().asString().contains("'root'");
        assertThat(test(place.owner(), "nowhere").refusal())
                .hasValue("queue 'nowhere' not found; choose one of " + MAIN);
        Files.createFile(heartbeat());
        assertThat(test(place.owner(), MAIN).refusal()).get().asString().contains("stop it during the test");
    }

    @Test
    void a_queue_with_a_job_of_another_user_is_refused_and_the_job_stays() {
        onTheCluster(cluster -> cluster.submitLocally(new Submission(
                        TestQueue.attempt(),
                        place.owner(),
                        new JobSpec(
                                "theirs",
                                "#!/bin/sh\nsleep 600\n",
                                null,
                                Resources.cores(1),
                                Duration.ofMinutes(10),
                                null,
                                null,
                                Map.of(),
                                new CheckpointMethod.None(),
                                false),
                        place.fresh().toString()))
                .get());

        assertThat(test(place.owner(), MAIN).refusal()).get().asString().contains("has 1 jobs (1 of " + place.owner());
        onTheCluster(cluster -> assertThat(cluster.observe().get().jobs()).hasSize(1));
    }

    // ---- the scene

    private AcceptanceTest test(final UserName user, final String queue) {
        final AdapterAccess adapter = new AdapterAccess(() ->
                faults.apply(LocalAcceptanceAgent.cluster(place.root(), asOwner).adapter()));
        adapters.add(adapter);
        return new AcceptanceTest(
                new AcceptanceTest.Target(
                        LocalAcceptanceAgent.CLUSTER,
                        user,
                        PartitionName.of(queue),
                        heartbeat(),
                        place.root().resolve("staging"),
                        Duration.ofSeconds(2),
                        Duration.ofMinutes(2),
                        Duration.ofMillis(150),
                        AgentCommand.of(LocalAcceptanceAgent.class, place.root().toString(), "" + asOwner)),
                adapter,
                new OwnerAccounts(new Accounts(), new ProcessRunner(new Accounts()), asOwner));
    }

    private Path heartbeat() {
        return place.root().resolve("heartbeat");
    }

    private void onTheCluster(final Consumer<LocalCluster> use) {
        adapters.forEach(AdapterAccess::close);
        try (LocalCluster cluster = LocalAcceptanceAgent.cluster(place.root(), asOwner)) {
            use.accept(cluster);
        }
    }

    private void assertNothingRemains() {
        onTheCluster(cluster -> assertThat(cluster.observe().get().jobs()).isEmpty());
        try (Stream<Path> left =
                Files.list(place.root().resolve("staging").resolve(place.owner().value()))) {
            assertThat(left).isEmpty();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CheckResult result(final List<CheckResult> results, final String check) {
        return results.stream()
                .filter(one -> one.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    /** The same workload manager, with another answer of one method. */
    private static WorkloadManager with(
            final WorkloadManager wlm,
            final Class<?> capability,
            final String method,
            final UnaryOperator<Object> change) {
        return Intercepted.of(wlm, List.of(capability), (called, call) -> {
            final Object answer = call.call();
            return called.getName().equals(method) ? change.apply(answer) : answer;
        });
    }

    private static void sleep(final long millis) {
        try {
            Thread.sleep(millis);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
