package io.millrace.agent.service;

import io.millrace.agent.acceptance.AcceptanceReport;
import io.millrace.agent.acceptance.AcceptanceTest;
import io.millrace.agent.acceptance.AdapterAccess;
import io.millrace.agent.acceptance.CheckResult;
import io.millrace.agent.acceptance.FolderAgent;
import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** {@code millrace-agent accept}: the acceptance test of the installation that the settings of the agent describe. */
@Singleton
final class AcceptCommand {

    static final int REFUSED = 2;

    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;

    /** Workload managers may round limits up to minutes and check them once a minute. */
    private static final Duration SHORTEST_WALLTIME = Duration.ofMinutes(1);

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final AgentConfig config;
    private final Instance<WorkloadManagerProvider> providers;
    private final Accounts accounts = new Accounts();

    AcceptCommand(final AgentConfig config, @Any final Instance<WorkloadManagerProvider> providers) {
        this.config = config;
        this.providers = providers;
    }

    int run(final List<String> arguments, final PrintStream out, final PrintStream err) {
        if (arguments.contains("--help")) {
            out.print(AcceptOptions.USAGE);
            return 0;
        }
        final AcceptOptions options;
        try {
            options = AcceptOptions.of(arguments);
        } catch (final IllegalArgumentException e) {
            err.println(e.getMessage() + "\n" + AcceptOptions.USAGE);
            return REFUSED;
        }
        final AdapterAccess adapter = new AdapterAccess(this::open);
        final AcceptanceTest test = new AcceptanceTest(target(options), adapter, owners());
        final Optional<String> refusal = test.refusal();
        if (refusal.isPresent()) {
            adapter.close();
            err.println("the acceptance test was refused: " + refusal.get());
            return REFUSED;
        }
        return run(test, facts(options, adapter), options.json(), out, err);
    }

    private static int run(
            final AcceptanceTest test,
            final Map<String, String> facts,
            final boolean json,
            final PrintStream out,
            final PrintStream err) {
        final CountDownLatch cleaned = new CountDownLatch(1);
        final Thread onExit = new Thread(() -> stop(test, cleaned), "accept-stop");
        Runtime.getRuntime().addShutdownHook(onExit);
        final PrintStream progress = json ? err : out;
        facts.forEach((name, value) -> progress.println(name + ": " + value));
        progress.print("\n" + AcceptanceReport.heading());
        final List<CheckResult> results = test.run(result -> progress.print(AcceptanceReport.row(result)));
        final AcceptanceReport report = new AcceptanceReport(facts, results);
        progress.println("\n" + report.summary());
        if (json) {
            out.println(report.json());
        }
        cleaned.countDown();
        final boolean stopped = results.stream().anyMatch(result -> result.verdict() == CheckResult.Verdict.NOT_RUN);
        return stopped ? INTERRUPTED : report.isPassed() ? 0 : FAILED;
    }

    /** After Ctrl-C or a stop of the process the jobs are still removed. */
    private static void stop(final AcceptanceTest test, final CountDownLatch cleaned) {
        if (cleaned.getCount() == 0) {
            return;
        }
        test.stop();
        try {
            cleaned.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Map<String, String> facts(final AcceptOptions options, final AdapterAccess adapter) {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cluster", options.cluster());
        facts.put("workload manager", adapter.get().version());
        facts.put("queue", options.queue().value());
        facts.put("user", options.user().value());
        facts.put("agent runs as", accounts.own().name().value());
        facts.put("control", adapter.get().observe().get().control().name().toLowerCase(Locale.ROOT));
        return facts;
    }

    private AcceptanceTest.Target target(final AcceptOptions options) {
        return new AcceptanceTest.Target(
                cluster(),
                options.user(),
                options.queue(),
                config.heartbeatFile().orElse(null),
                config.stagingRoot(),
                SHORTEST_WALLTIME,
                PATIENCE,
                INTERVAL,
                agentCommand(
                        options.cluster(), ManagementFactory.getRuntimeMXBean().getInputArguments()));
    }

    /**
     * The command line of an agent process of the test, with the same settings.
     *
     * @param jvmArguments of this process
     */
    static List<String> agentCommand(final String cluster, final List<String> jvmArguments) {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx1536m"));
        jvmArguments.stream().filter(argument -> argument.startsWith("-D")).forEach(command::add);
        command.addAll(List.of(
                "-jar",
                Path.of(System.getProperty("java.class.path")).toAbsolutePath().toString(),
                AgentApplication.ACCEPT_AGENT,
                "--cluster",
                cluster));
        return command;
    }

    /** The agent process of the test. Arguments: {@code --cluster NAME CONTROL FOLDER}. */
    int serve(final List<String> arguments) throws IOException {
        final int size = arguments.size();
        final WorkloadManager wlm = open();
        FolderAgent.serve(
                Path.of(arguments.get(size - 1)),
                cluster(),
                Control.valueOf(arguments.get(size - 2)),
                config.stagingRoot(),
                provider().commandLimit(),
                wlm,
                owners());
        return 0;
    }

    private ClusterId cluster() {
        return ClusterId.of(config.cluster());
    }

    private WorkloadManagerProvider provider() {
        return Adapters.provider(config.adapter(), providers.stream().toList());
    }

    private WorkloadManager open() {
        return Adapters.open(provider(), config, cluster(), accounts, Clock.systemUTC());
    }

    /** Users of the test are accounts of this cluster: the site mapping is not applied. */
    private OwnerAccounts owners() {
        return new OwnerAccounts(
                accounts,
                new ProcessRunner(accounts),
                provider().runsAsOwner(),
                () -> SiteNames.same(cluster()),
                config.minUid());
    }
}
