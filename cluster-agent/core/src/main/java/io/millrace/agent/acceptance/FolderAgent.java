package io.millrace.agent.acceptance;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.Agent;
import io.millrace.agent.AgentFactory;
import io.millrace.agent.AgentSettings;
import io.millrace.agent.kafka.FolderLog;
import io.millrace.agent.site.LocalProjects;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import io.millrace.model.command.Action;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** The agent process of an acceptance test: a complete agent that gets its commands from a {@link FolderLog}. */
public final class FolderAgent {

    private static final Duration NEVER = Duration.ofDays(365);

    private FolderAgent() {}

    /**
     * Runs an agent until standard input ends.
     *
     * @param control the control of the cluster, which the agent does not change
     * @param commandLimit how long a command line can still take effect after the agent was killed
     */
    public static void serve(
            final Path folder,
            final ClusterId cluster,
            final Control control,
            final Path stagingRoot,
            final Duration commandLimit,
            final WorkloadManager wlm,
            final OwnerAccounts owners)
            throws IOException {
        final AgentSettings settings = new AgentSettings(
                cluster,
                control,
                stagingRoot,
                null,
                null,
                folder.resolve("work"),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                commandLimit,
                Duration.ofMinutes(3),
                Duration.ofMinutes(1),
                NEVER,
                NEVER,
                Duration.ZERO,
                Duration.ofSeconds(30),
                LocalProjects.Trust.ALL);
        try (Agent agent = AgentFactory.agent(
                settings,
                wlm,
                false,
                owners,
                SiteMapping.none(cluster),
                (action, now) ->
                        action instanceof Action.Submit submit ? owners.refusal(submit.owner()) : Optional.empty(),
                TransferSettings.of(stagingRoot.toString(), null),
                new FolderLog(folder, cluster),
                Clock.systemUTC(),
                new SimpleMeterRegistry(),
                () -> Runtime.getRuntime().halt(Agent.FENCED_EXIT_CODE))) {
            agent.start();
            while (System.in.read() >= 0) {
                // Only the end of the input matters.
            }
        }
    }
}
