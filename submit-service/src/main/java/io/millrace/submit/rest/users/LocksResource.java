package io.millrace.submit.rest.users;

import io.millrace.model.UserName;
import io.millrace.model.policy.UserLock;
import io.millrace.submit.LockUser;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.jobs.JobsResource;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Locked users; operators only. */
@Path("/api/v1/locks")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "users")
public class LocksResource {

    private final LockUser locks;

    LocksResource(final LockUser locks) {
        this.locks = locks;
    }

    /** A lock. */
    @Schema(name = "LockRequest")
    public record LockRequest(
            @Schema(required = true, description = "Kept for audit; the user sees it") @Nullable
            String reason,

            @Schema(
                    description =
                            "Whether to stop all jobs of the user, also running ones; default: hold those that wait")
            @Nullable
            Boolean stopJobs) {}

    /** A change of a lock. */
    @Schema(name = "UserLock")
    public record LockView(
            String user,
            boolean locked,
            String author,
            String reason,
            Instant changedAt,

            @Schema(
                    description =
                            "Number of jobs that were held, stopped or released with this change; absent in lists")
            @Nullable
            Integer jobs) {

        static LockView of(final UserLock lock, final @Nullable Integer jobs) {
            return new LockView(
                    lock.user().value(), lock.locked(), lock.author().value(), lock.reason(), lock.changedAt(), jobs);
        }
    }

    /** The locked users. */
    @Schema(name = "UserLocks")
    public record LocksView(List<LockView> locks) {}

    @GET
    @Operation(operationId = "listLocks", summary = "List locked users; operators only")
    public LocksView list(@Context final SecurityContext security) {
        return new LocksView(locks.locked(CallerContext.caller(security)).stream()
                .map(lock -> LockView.of(lock, null))
                .toList());
    }

    @PUT
    @Path("/{user}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "lockUser",
            summary = "Lock a user on all clusters; operators only",
            description =
                    "Tokens and submissions of the user are refused, agents do not act for the user, and jobs that"
                            + " have not started are held. Repeat it to include jobs that were accepted at the same time.")
    public LockView lock(
            @Context final SecurityContext security,
            @PathParam("user") final String user,
            final @Nullable LockRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator("locking a user");
        final LockRequest requested = JobsResource.requireBody(body);
        final LockUser.Changed done =
                locks.lock(caller, user(user), requested.reason(), Boolean.TRUE.equals(requested.stopJobs()));
        return LockView.of(done.lock(), done.jobs());
    }

    @DELETE
    @Path("/{user}")
    @Operation(
            operationId = "unlockUser",
            summary = "Unlock a user and release the jobs that the lock held; operators only")
    public LockView unlock(
            @Context final SecurityContext security,
            @PathParam("user") final String user,
            @Parameter(description = "Reason, kept for audit", required = true) @QueryParam("reason")
                    final @Nullable String reason) {
        final LockUser.Changed done = locks.unlock(CallerContext.caller(security), user(user), reason);
        return LockView.of(done.lock(), done.jobs());
    }

    private static UserName user(final String name) {
        return Parameters.read("user", name, UserName::of);
    }
}
