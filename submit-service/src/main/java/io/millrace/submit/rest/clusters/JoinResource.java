package io.millrace.submit.rest.clusters;

import io.millrace.model.ClusterId;
import io.millrace.submit.joining.JoinCluster;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.InvitedContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.jobs.JobsResource;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The routes by which a cluster joins: an operator invites it, and its agent presents the invitation. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "clusters")
public class JoinResource {

    private final JoinCluster clusters;

    JoinResource(final JoinCluster clusters) {
        this.clusters = clusters;
    }

    /** What to invite for. */
    @Schema(name = "InvitationRequest")
    public record InvitationRequest(
            @Schema(
                    description = "Whether the cluster may have joined before; its new key and account then replace the"
                            + " earlier ones")
            @Nullable
            Boolean replace) {}

    /** An invitation. */
    @Schema(name = "Invitation")
    public record InvitationView(
            String cluster,

            @Schema(description = "For millrace-agent join; it can be used once and is not shown again")
            String token,

            Instant expiresAt) {}

    /** What the agent brings. */
    @Schema(name = "JoinRequest")
    public record JoinRequest(
            @Schema(required = true, description = "Public key of the cluster's login: a JWK (P-256), as text")
            @Nullable
            String loginKey) {}

    /** What the agent gets. */
    @Schema(name = "JoinedCluster")
    public record JoinedView(
            String cluster,

            @Schema(description = "The brokers: millrace.kafka.bootstrap-servers")
            String brokers,

            @Schema(description = "millrace.kafka.partitions")
            int partitions,

            @Schema(description = "Client properties of the agent's account at the broker, with its secret")
            String login,

            @Schema(description = "Certificates that verify the broker (PEM); empty without TLS")
            String authority,

            @Schema(description = "Public keys that verify submissions, as a JWK set")
            String submissionKeys,

            @Schema(description = "The same as PEM") String submissionKeysPem) {}

    @POST
    @Path("/clusters/{cluster}/invitation")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "inviteCluster",
            summary = "Invite a cluster to join; operators only",
            description = "The invitation is valid for 24 hours, for this cluster only, and replaces an earlier one.")
    public InvitationView invite(
            @Context final SecurityContext security,
            @PathParam("cluster") final String cluster,
            final @Nullable InvitationRequest body) {
        final boolean replace =
                Boolean.TRUE.equals(JobsResource.requireBody(body).replace());
        final JoinCluster.Invited invited = clusters.invite(CallerContext.caller(security), id(cluster), replace);
        return new InvitationView(invited.cluster().value(), invited.token(), invited.expiresAt());
    }

    @POST
    @Path("/clusters/{cluster}/join")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "joinCluster",
            summary = "Join with an invitation",
            description =
                    "The bearer token is the invitation, and no login. It is used up, also if the request fails later.")
    public JoinedView join(
            @Context final SecurityContext security,
            @PathParam("cluster") final String cluster,
            final @Nullable JoinRequest body) {
        final String key =
                Objects.requireNonNullElse(JobsResource.requireBody(body).loginKey(), "");
        final JoinCluster.Joined joined = clusters.join(id(cluster), InvitedContext.invitation(security), key);
        return new JoinedView(
                joined.cluster().value(),
                joined.brokers(),
                joined.partitions(),
                joined.login(),
                joined.authority(),
                joined.submissionKeys(),
                joined.submissionKeysPem());
    }

    private static ClusterId id(final String cluster) {
        return Parameters.read("cluster", cluster, ClusterId::of);
    }
}
