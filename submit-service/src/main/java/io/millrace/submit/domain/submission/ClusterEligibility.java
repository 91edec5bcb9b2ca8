package io.millrace.submit.domain.submission;

import io.millrace.decide.JobEligibility;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.submit.domain.log.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a cluster cannot run a job or cannot answer a dry run: one sentence with the remedy. */
public final class ClusterEligibility {

    /** Prefix of an agent's note that reports a refusal. */
    private static final String REFUSED = "it would be refused: ";

    private ClusterEligibility() {}

    public static Optional<String> dryRunObstacle(
            final ClusterStatus status, final Instant now, final Duration silentAfter) {
        final RevisionClosed marker = status.marker();
        if (status.health(now, silentAfter) == ClusterStatus.Health.UNAVAILABLE) {
            return Optional.of("its agent has not reported since " + status.recordedAt() + "; retry when it is back");
        }
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of("its workload manager does not answer: " + stale.reason());
        }
        if (!marker.capabilities().contains(Capability.DRY_RUN)) {
            return Optional.of(marker.notes()
                    .getOrDefault(Capability.DRY_RUN, "its agent does not support dry runs; update the agent"));
        }
        return Optional.empty();
    }

    /**
     * Why nothing of a user runs on the cluster for whom this issuer vouched.
     *
     * @param issuer null for a registered tool
     * @param mapping what the cluster published; null for nothing
     */
    public static Optional<Veto> issuerObstacle(
            final @Nullable ClusterId issuer, final ClusterId cluster, final @Nullable SiteMappingObserved mapping) {
        return (mapping == null ? SiteMappingObserved.none(cluster) : mapping).accepts(issuer)
                ? Optional.empty()
                : Optional.of(VetoCode.ISSUER_NOT_ACCEPTED.veto("cluster '" + cluster + "' accepts nothing of users who"
                        + " logged in on '" + issuer + "'; log in on '" + cluster
                        + "' with mglogin, or ask the operators to add '" + issuer
                        + "' to millrace.agent.accepted-issuers of '" + cluster + "'"));
    }

    /** Why the cluster cannot run the job; if the veto is permanent, it never can. */
    public static Optional<Veto> runObstacle(
            final UserName user, final JobSpec spec, final TargetRequest request, final ClusterOffer cluster) {
        return cluster.eligibility().veto(JobEligibility.Request.of(user, spec, request));
    }

    /** Why a job that is in the queue of the cluster cannot run there as altered. */
    public static Optional<Veto> queueObstacle(
            final UserName owner, final JobSpec altered, final JobObserved local, final ClusterOffer cluster) {
        return cluster.eligibility()
                .veto(new JobEligibility.Request(
                        owner,
                        altered.project(),
                        null,
                        altered.resources(),
                        altered.walltime(),
                        local.partition(),
                        TargetRequest.NONE,
                        true));
    }

    /** The job with the cluster's name for its partition. */
    public static JobSpec onCluster(
            final UserName user, final JobSpec spec, final TargetRequest request, final ClusterOffer cluster) {
        return cluster.eligibility().accepting(JobEligibility.Request.of(user, spec, request)).stream()
                .filter(partition -> spec.partition() != null)
                .findFirst()
                .map(spec::withPartition)
                .orElse(spec);
    }

    /** Why the agent would refuse the job although it can translate it. */
    public static Optional<String> agentRefusal(final DryRunResult dryRun) {
        return dryRun.notes().stream()
                .filter(remark -> remark.startsWith(REFUSED))
                .map(remark -> remark.substring(REFUSED.length()))
                .findFirst();
    }
}
