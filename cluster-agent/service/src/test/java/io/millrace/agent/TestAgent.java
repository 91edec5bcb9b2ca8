package io.millrace.agent;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.kafka.KafkaAgentLog;
import io.millrace.agent.local.LocalCluster;
import io.millrace.agent.local.LocalSettings;
import io.millrace.agent.site.LocalProjects;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import io.millrace.model.command.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** An agent on a real broker with an embedded cluster of 2 nodes of 2 cores, in a folder that outlives it. */
final class TestAgent implements AutoCloseable {

    static final int PARTITIONS = 3;

    /** Most tests publish no plans, and control must stay directed however slow the machine is. */
    private static final Duration NEVER = Duration.ofDays(1);

    /** A limit that no test awaits. */
    private static final Duration GENEROUS = Duration.ofMinutes(5);

    final LocalCluster cluster;
    final Agent agent;
    final CountDownLatch takenOver = new CountDownLatch(1);

    TestAgent(final String bootstrap, final ClusterId name, final Path home) {
        this(bootstrap, name, home, UnaryOperator.identity(), UnaryOperator.identity());
    }

    TestAgent(
            final String bootstrap,
            final ClusterId name,
            final Path home,
            final UnaryOperator<AgentLog> log,
            final UnaryOperator<WorkloadManager> wlm) {
        this(bootstrap, name, home, log, wlm, NEVER);
    }

    /** @param deciderTimeout after this time without a plan of a decider, control becomes native */
    TestAgent(
            final String bootstrap,
            final ClusterId name,
            final Path home,
            final UnaryOperator<AgentLog> log,
            final UnaryOperator<WorkloadManager> wlm,
            final Duration deciderTimeout) {
        final Accounts accounts = TestAccounts.labels();
        TestAccounts.letIn(home);
        cluster = new LocalCluster(
                        new LocalSettings(
                                name,
                                home.resolve("local"),
                                2,
                                2,
                                Control.DIRECTED,
                                true,
                                Duration.ofSeconds(5),
                                Duration.ofDays(30)),
                        accounts,
                        Clock.systemUTC())
                .open();
        // The file lies beside the agent's folders; a test that wants one writes it before.
        final Path file = home.resolve("site-mapping.yaml");
        final SiteMapping siteMapping = Files.exists(file) ? SiteMapping.of(name, file) : SiteMapping.none(name);
        final OwnerAccounts owners =
                new OwnerAccounts(accounts, new ProcessRunner(accounts), true, siteMapping::names, 1);
        agent = AgentFactory.agent(
                settings(name, home, deciderTimeout),
                wlm.apply(cluster.adapter()),
                true,
                owners,
                siteMapping,
                (action, now) ->
                        action instanceof Action.Submit submit ? owners.refusal(submit.owner()) : Optional.empty(),
                TransferSettings.of(home.resolve("staging").toString(), null),
                log.apply(new KafkaAgentLog(bootstrap, 1, name, Clock.systemUTC(), Optional.empty())),
                Clock.systemUTC(),
                new SimpleMeterRegistry(),
                takenOver::countDown);
        agent.start();
    }

    static AgentSettings settings(final ClusterId name, final Path home) {
        return settings(name, home, NEVER);
    }

    private static AgentSettings settings(final ClusterId name, final Path home, final Duration deciderTimeout) {
        return new AgentSettings(
                name,
                Control.DIRECTED,
                home.resolve("staging"),
                null,
                home.resolve("heartbeat"),
                home.resolve("work"),
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                GENEROUS,
                Duration.ofSeconds(1),
                GENEROUS,
                GENEROUS,
                deciderTimeout,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofMillis(500),
                LocalProjects.Trust.ALL);
    }

    @Override
    public void close() {
        agent.close();
        cluster.close();
    }
}
