package io.millrace.submit.tools;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSubmitted;
import io.millrace.sitefiles.WatchedFile;
import io.millrace.submit.SubmitJob;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.identity.DirectoryGroups;
import io.millrace.submit.identity.UserLocks;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.Problem;
import io.millrace.submit.rest.StrictJson;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * S-9: accepts jobs that registered tools submit. A request is a JWT that the tool signed with ES256: issuer {@code tool/NAME}, audience,
 * subject (the user), {@code jti} (the idempotency key), expiry, and the claim {@code job} with the body of {@code POST /api/v1/jobs}.
 */
@ApplicationScoped
public class ToolSubmissions {

    private static final Logger LOG = LoggerFactory.getLogger(ToolSubmissions.class);
    private static final int INTERNAL_ERROR = 500;
    private static final int ACCEPTED = 202;

    private final @Nullable WatchedFile<Map<String, Tool>> file;
    private final SubmitJob jobs;
    private final DirectoryGroups groups;
    private final UserLocks locks;
    private final Clock clock;

    ToolSubmissions(
            final SubmitSettings settings,
            final SubmitJob jobs,
            final DirectoryGroups groups,
            final UserLocks locks,
            final Clock clock) {
        final String kind = "tools file";
        this.file = settings.toolsFile()
                .map(path -> new WatchedFile<>(kind, path, text -> ToolsFile.read(kind + " " + path, text)))
                .orElse(null);
        this.jobs = jobs;
        this.groups = groups;
        this.locks = locks;
        this.clock = clock;
    }

    /** The names of the registered tools, from the file as it is now. */
    public Set<String> tools() {
        if (file == null) {
            return Set.of();
        }
        file.refresh();
        return new TreeSet<>(file.content().keySet());
    }

    /**
     * Accepts or refuses a request. Repeating it gives the same answer.
     *
     * @throws RequestRefused (unavailable) if it cannot be decided now
     */
    public ToolAnswer submit(final String tool, final String request, final long offset) {
        @Nullable String id = null;
        try {
            final Tool from = registered(tool);
            final JWTClaimsSet claims = verified(from, request);
            id = claims.getJWTID();
            final Caller caller = caller(from, claims);
            final JobRequest job = job(claims);
            requireSource(from, job.source());
            final SubmitJob.Accepted accepted = jobs.submit(caller, job, required(id, "jti"));
            final JobSubmitted submission = accepted.job().stored().job().submission();
            return new ToolAnswer(
                    id,
                    offset,
                    ACCEPTED,
                    submission.job().value(),
                    submission.jobNumber().toString(),
                    null);
        } catch (RequestRefused e) {
            if (e.kind() == RequestRefused.Kind.UNAVAILABLE) {
                throw e;
            }
            return new ToolAnswer(id, offset, Problem.of(e).status(), null, null, e.getMessage());
        } catch (RuntimeException e) {
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("tool", tool)
                    .addKeyValue("offset", offset)
                    .log("a request of a tool failed");
            return new ToolAnswer(
                    id, offset, INTERNAL_ERROR, null, null, "internal error; the log of submit-service has the cause");
        }
    }

    private Tool registered(final String name) {
        final Tool tool = file == null ? null : file.content().get(name);
        if (tool == null) {
            throw forbidden("tool '" + name + "' is not registered");
        }
        return tool;
    }

    private JWTClaimsSet verified(final Tool tool, final String request) {
        try {
            final SignedJWT jwt = SignedJWT.parse(request);
            if (!JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())
                    || !jwt.verify(new ECDSAVerifier(tool.key()))) {
                throw unauthenticated(
                        "it is not signed with ES256 and the registered key of tool '" + tool.name() + "'");
            }
            final JWTClaimsSet claims = jwt.getJWTClaimsSet();
            requireClaims(tool, claims);
            return claims;
        } catch (ParseException | JOSEException e) {
            throw unauthenticated("it is not a signed JWT");
        }
    }

    private void requireClaims(final Tool tool, final JWTClaimsSet claims) {
        final Instant now = clock.instant();
        if (!tool.issuerClaim().equals(claims.getIssuer())
                || !claims.getAudience().contains(SubmitSettings.AUDIENCE)) {
            throw unauthenticated(
                    "'iss' must be '" + tool.issuerClaim() + "' and 'aud' must be '" + SubmitSettings.AUDIENCE + "'");
        }
        if (claims.getExpirationTime() == null
                || claims.getExpirationTime()
                        .toInstant()
                        .plus(SubmitSettings.CLOCK_SKEW)
                        .isBefore(now)
                || claims.getExpirationTime()
                        .toInstant()
                        .isAfter(now.plus(SubmitSettings.MAX_TOKEN_LIFETIME).plus(SubmitSettings.CLOCK_SKEW))) {
            throw unauthenticated("'exp' must be between now and " + SubmitSettings.MAX_TOKEN_LIFETIME + " from now");
        }
    }

    private Caller caller(final Tool tool, final JWTClaimsSet claims) {
        final UserName user;
        try {
            user = UserName.of(required(claims.getSubject(), "sub"));
        } catch (IllegalArgumentException e) {
            throw RequestRefused.invalid("sub", String.valueOf(e.getMessage()));
        }
        if (!tool.rule().vouchesFor(user, groups::of)) {
            throw forbidden("tool '" + tool.name() + "' may not submit for user '" + user + "'");
        }
        locks.requireUnlocked(user);
        return new Caller(user, false, null);
    }

    private static void requireSource(final Tool tool, final @Nullable String source) {
        if (source != null && !tool.rule().mayStartFrom(null, Parameters.read("source", source, ClusterId::of))) {
            throw forbidden("tool '" + tool.name() + "' may not submit jobs whose directory is on '" + source
                    + "'; ask the operators to add it to its 'sources'");
        }
    }

    private static JobRequest job(final JWTClaimsSet claims) {
        try {
            final Map<String, Object> job = claims.getJSONObjectClaim("job");
            return StrictJson.read(
                    JobRequest.class,
                    JSONObjectUtils.toJSONString(job == null ? Map.of() : job).getBytes(StandardCharsets.UTF_8));
        } catch (ParseException | IOException e) {
            throw RequestRefused.invalid("job", "must be an object, the body of POST /api/v1/jobs");
        }
    }

    private static String required(final @Nullable String value, final String claim) {
        if (value == null) {
            throw RequestRefused.invalid(claim, "is missing");
        }
        return value;
    }

    private static RequestRefused unauthenticated(final String reason) {
        return new RequestRefused(RequestRefused.Kind.UNAUTHENTICATED, "the request is not valid: " + reason);
    }

    private static RequestRefused forbidden(final String reason) {
        return new RequestRefused(RequestRefused.Kind.FORBIDDEN, reason);
    }
}
