package io.millrace.agent;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the use cases of one agent need to know; {@code AgentConfig} says where it comes from.
 *
 * @param control what the cluster shall be under; a silent Millrace turns {@code DIRECTED} into {@code NATIVE} for a while
 * @param stagingRoot folder under which staged jobs lie; null takes no global jobs from elsewhere
 * @param dataHost name under which other clusters reach this cluster's files by ssh; null: the same host as everybody
 * @param heartbeatFile touched at each sign of life of the deciders; null: none
 * @param workDir the agent's own folder for sessions of make steps and copies
 * @param recoveryDelay how long after {@code Begun} an interrupted command may still act by itself
 * @param deciderTimeout after this time without a sign of life an embedded cluster goes native
 * @param restartCost what a job needs to read its saved state back; added to the walltime that remains
 * @param unobservedEndsInterval time between two questions for ends that nobody saw
 * @param directedAfter the deciders must have been heard for this long before the cluster is directed again
 */
public record AgentSettings(
        ClusterId cluster,
        Control control,
        @Nullable Path stagingRoot,
        @Nullable String dataHost,
        @Nullable Path heartbeatFile,
        Path workDir,
        Duration pollInterval,
        Duration heartbeatInterval,
        Duration settleDeadline,
        Duration recoveryDelay,
        Duration reclaimLimit,
        Duration makeLimit,
        Duration deciderTimeout,
        Duration directedAfter,
        Duration restartCost,
        Duration unobservedEndsInterval) {}
