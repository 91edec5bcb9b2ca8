package io.millrace.agent.acceptance;

import io.millrace.agent.acceptance.CheckResult.Verdict;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs all checks in one queue, one after the other, and removes all jobs and files that they made. Jobs of other users and other queues are
 * only observed.
 */
public final class AcceptanceTest {

    /** Without these, Millrace cannot direct the cluster. */
    private static final Set<Capability> REQUIRED =
            Set.of(Capability.START, Capability.HOLD, Capability.REQUEUE, Capability.RECLAIM, Capability.ACCOUNTING);

    private static final String ROLE = "check the role of the agent in the workload manager (deploy/agent/README.md)";
    private static final String NODES =
            "check that the user may run jobs in the queue, that a node of the queue is idle,"
                    + " and that all nodes see millrace.agent.staging-root";
    private static final String ENDS = "check the accounting of the workload manager and the agent's access to it"
            + " (docs/guide/adapters.md, 'Ends that were not observed')";
    private static final String AGENT = "keep the output of this test and report the failure to the developers";

    /**
     * What is tested.
     *
     * @param heartbeatFile of the agent of this cluster; null: unknown
     * @param stagingRoot the folder below which the jobs run
     * @param patience how long to wait for a change of the workload manager
     * @param interval time between two observations
     * @param agentCommand starts a process that calls {@link FolderAgent#serve}; control and folder are appended
     */
    public record Target(
            ClusterId cluster,
            UserName user,
            PartitionName queue,
            @Nullable Path heartbeatFile,
            Path stagingRoot,
            Duration shortestWalltime,
            Duration patience,
            Duration interval,
            List<String> agentCommand) {}

    private final Target target;
    private final AdapterAccess adapter;
    private final OwnerAccounts owners;
    private final StagingDirectories staging;
    private final String name = "mr" + nonce() + "-";
    private final List<Path> agentFolders = new ArrayList<>();
    private final Thread thread = Thread.currentThread();
    private volatile boolean stopping;

    public AcceptanceTest(final Target target, final AdapterAccess adapter, final OwnerAccounts owners) {
        this.target = target;
        this.adapter = adapter;
        this.owners = owners;
        this.staging = new StagingDirectories(target.stagingRoot(), owners);
    }

    private static String nonce() {
        final byte[] bytes = new byte[2];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Why the test must not run; empty if it may. Nothing was changed. */
    public Optional<String> refusal() {
        return new StartConditions(target, adapter, owners).refusal();
    }

    // ---- the checks

    private List<Check> checks() {
        return List.of(
                contract(
                        "a submitted job is held and tagged",
                        null,
                        NODES,
                        AdapterScenarios::aSubmittedJobIsHeldAndTagged),
                contract(
                        "a job runs as its owner, in its directory, with its environment; its output is there",
                        null,
                        NODES,
                        AdapterScenarios::aJobRunsAsItsOwnerInItsDirectoryWithItsEnvironment),
                contract(
                        "exit codes and signals are exact",
                        Capability.ACCOUNTING,
                        ENDS,
                        AdapterScenarios::exitCodesAndSignalsAreExact),
                contract(
                        "a held job waits until it is started",
                        Capability.HOLD,
                        ROLE,
                        AdapterScenarios::aHeldJobWaitsUntilItIsReleased),
                contract(
                        "a requeued job runs again under the same id; all output is in one file",
                        Capability.REQUEUE,
                        ROLE,
                        AdapterScenarios::aRequeuedJobRunsAgainUnderTheSameKey),
                contract("a waiting job can be cancelled", null, ROLE, AdapterScenarios::aWaitingJobCanBeCancelled),
                contract(
                        "a running job is cancelled with all its processes",
                        null,
                        ROLE,
                        AdapterScenarios::aRunningJobIsCancelledWithEverythingItStarted),
                contract(
                        "a job is killed at its walltime limit",
                        Capability.ACCOUNTING,
                        "check that the workload manager enforces walltime limits",
                        AdapterScenarios::aJobIsKilledAtItsWalltimeLimit),
                contract(
                        "a job can be suspended and resumed",
                        Capability.SUSPEND,
                        ROLE,
                        AdapterScenarios::aSuspendedJobStopsAndContinuesWhenItIsResumed),
                contract(
                        "a signal reaches the application",
                        Capability.SIGNAL,
                        ROLE,
                        AdapterScenarios::aSignalReachesTheApplication),
                contract(
                        "the walltime of a waiting job can be changed",
                        Capability.ALTER,
                        ROLE,
                        AdapterScenarios::theWalltimeOfAWaitingJobCanBeChanged),
                waiting("each task of an array runs once", NODES, WaitingJobChecks::eachTaskOfAnArrayRunsOnce),
                waiting(
                        "a dependent job is not eligible until the other one has ended",
                        AGENT,
                        WaitingJobChecks::aDependentJobWaitsForTheOther),
                waiting(
                        "a job is not eligible before its begin time",
                        "check the clocks and time zones of the hosts",
                        WaitingJobChecks::aJobDoesNotBeginBeforeItsTime),
                agent(
                        "results have the owner and the permissions of the user",
                        null,
                        "check the umask in the user's login profile on the nodes",
                        AgentChecks::resultsHaveTheOwnersPermissions),
                agent(
                        "a preempted job waits for the guaranteed one and runs again",
                        Capability.RECLAIM,
                        ROLE,
                        AgentChecks::aPreemptedJobRunsAgain),
                agent(
                        "an agent killed during a command executes nothing twice",
                        null,
                        AGENT,
                        AgentChecks::aKilledAgentExecutesNoCommandTwice));
    }

    private static Check contract(
            final String sentence,
            final @Nullable Capability needs,
            final String remedy,
            final Consumer<AdapterScenarios> body) {
        return new Check(sentence, needs, remedy, queue -> body.accept(new AdapterScenarios(queue)));
    }

    private static Check waiting(final String sentence, final String remedy, final Consumer<WaitingJobChecks> body) {
        return new Check(
                sentence, null, remedy, queue -> body.accept(new WaitingJobChecks(queue, ZoneId.systemDefault())));
    }

    private Check agent(
            final String sentence,
            final @Nullable Capability needs,
            final String remedy,
            final Consumer<AgentChecks> body) {
        return new Check(sentence, needs, remedy, queue -> {
            final Control control = queue.observe().control();
            body.accept(new AgentChecks(queue, agents(control), owners.loginUmask(target.user())));
        });
    }

    private Supplier<AgentProcess> agents(final Control control) {
        return () -> {
            adapter.close();
            try {
                final Path folder = Files.createTempDirectory("millrace-accept-");
                agentFolders.add(folder);
                final List<String> command = new ArrayList<>(target.agentCommand());
                command.add(control.name());
                return new AgentProcess(command, folder, target.cluster(), target.patience());
            } catch (final IOException e) {
                throw new UncheckedIOException("cannot create a folder for an agent process", e);
            }
        };
    }

    // ---- the run

    /** Runs all checks; {@link #refusal} must have been empty. */
    public List<CheckResult> run(final Consumer<CheckResult> progress) {
        final List<CheckResult> results = new ArrayList<>();
        final String root = target.stagingRoot()
                .resolve(target.user().value())
                .resolve("accept-" + name.replace("-", ""))
                .toString();
        final TestQueue queue = new TestQueue(
                adapter,
                new TestQueue.Scene(
                        target.user(),
                        target.queue(),
                        name,
                        target.shortestWalltime(),
                        target.patience(),
                        target.interval()),
                owners.runner(target.user()),
                root);
        try {
            final Offer offer = Offer.of(adapter.get());
            int number = 1;
            for (final Check check : checks()) {
                final CheckResult result = run(check, offer, queue.in(root + "/" + number++));
                results.add(result);
                progress.accept(result);
            }
        } finally {
            final boolean failed = results.stream().anyMatch(result -> result.verdict() == Verdict.FAILED);
            final CheckResult cleaned = cleanUp(queue, failed ? List.of() : agentFolders);
            results.add(cleaned);
            progress.accept(cleaned);
        }
        return results;
    }

    private CheckResult run(final Check check, final Offer offer, final TestQueue queue) {
        final Instant start = Instant.now();
        if (stopping) {
            return new CheckResult(check.sentence(), Verdict.NOT_RUN, Duration.ZERO, "the test was stopped");
        }
        try {
            requireOffered(check.needs(), offer);
            TestQueue.accepted(staging.prepare(target.user(), queue.directory(), Authority.CHECK));
            check.body().accept(queue);
            queue.clear();
            return result(check, start, Verdict.PASSED, "");
        } catch (final NotSupported e) {
            return result(check, start, Verdict.NOT_SUPPORTED, e.getMessage());
        } catch (final CheckFailure e) {
            clearAfter(e, queue);
            return result(check, start, Verdict.FAILED, e.getMessage() + "; " + check.remedy());
        } catch (final RuntimeException e) {
            clearAfter(e, queue);
            return result(check, start, Verdict.FAILED, "internal error: " + e + "; " + AGENT);
        }
    }

    private static CheckResult result(
            final Check check, final Instant start, final Verdict verdict, final @Nullable String detail) {
        return new CheckResult(
                check.sentence(), verdict, Duration.between(start, Instant.now()), detail == null ? "" : detail);
    }

    private static void requireOffered(final @Nullable Capability needs, final Offer offer) {
        if (needs == null || offer.capabilities().contains(needs)) {
            return;
        }
        final String reason = offer.withheld().getOrDefault(needs, "this workload manager does not offer " + needs);
        if (REQUIRED.contains(needs)) {
            throw new CheckFailure(reason);
        }
        throw new NotSupported(reason);
    }

    // ---- cleanup

    /** Also after {@link #stop}, which interrupts the thread. */
    private void clearAfter(final RuntimeException failure, final TestQueue queue) {
        Thread.interrupted();
        try {
            queue.clear();
        } catch (final RuntimeException e) {
            failure.addSuppressed(e); // the last row of the table names what is left
        }
    }

    /** @param folders of agents; after a failure they stay, because its detail names the log of an agent */
    private CheckResult cleanUp(final TestQueue queue, final List<Path> folders) {
        final Check check = new Check("nothing of the test remains", null, "remove it", scene -> {});
        final Instant start = Instant.now();
        Thread.interrupted();
        try {
            queue.clear();
            queue.files().remove();
            for (final Path folder : folders) {
                remove(folder);
            }
            return result(check, start, Verdict.PASSED, "");
        } catch (final RuntimeException e) {
            return result(
                    check,
                    start,
                    Verdict.FAILED,
                    e.getMessage() + "; cancel the jobs whose names begin with '" + name + "' and remove "
                            + queue.directory());
        } finally {
            adapter.close();
        }
    }

    private static void remove(final Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }

    /** Ends the current check and skips the others. Callable from any thread; {@link #run} still cleans up. */
    public void stop() {
        stopping = true;
        thread.interrupt();
    }
}
