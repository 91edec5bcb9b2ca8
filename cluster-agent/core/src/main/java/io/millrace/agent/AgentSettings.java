package io.millrace.agent;

import io.millrace.agent.site.LocalProjects;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the agent of one cluster; the service maps {@code AgentConfig} to them.
 *
 * @param control configured control; while the deciders are silent, {@code DIRECTED} becomes {@code NATIVE}
 * @param stagingRoot folder of staged jobs; null: no jobs from other clusters
 * @param dataHost host name under which other clusters reach the files of this cluster by ssh; null: all clusters share one host
 * @param heartbeatFile written for each plan of the deciders, and while a command changes the queue; null: none
 * @param workDir folder of the agent for make steps and copies
 * @param recoveryDelay how long after {@code Begun} a command line of a crashed agent may still take effect
 * @param deciderTimeout after this time without a plan an embedded cluster goes native
 * @param restartCost time a job needs to read its checkpoint; added to the remaining walltime
 * @param unobservedEndsInterval time between two queries for jobs that ended between two observations
 * @param localProjects whose word counts about members of the projects of local jobs
 * @param directedAfter the deciders must have been active for this time before the cluster is directed again
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
        Duration unobservedEndsInterval,
        LocalProjects.Trust localProjects) {}
