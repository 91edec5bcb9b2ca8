package io.millrace.submit.rest;

import io.millrace.submit.domain.NamesBatchException;
import io.millrace.submit.domain.RequestRefused;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps exceptions to problem details. */
class ProblemMapper {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);
    private static final Pattern OF_JOB = Pattern.compile("/api/v1/jobs/[^/]+(|/stop|/hold|/release|/alter)");
    private static final String RETRY_S = "2";

    private final AllowedMethods methods;

    ProblemMapper(final AllowedMethods methods) {
        this.methods = methods;
    }

    @ServerExceptionMapper
    Response refused(final RequestRefused refused, final UriInfo uri) {
        final Response.ResponseBuilder response = response(Problem.of(refused), uri);
        final Duration after = refused.retryAfter();
        if (after != null) {
            response.header(HttpHeaders.RETRY_AFTER, null)
                    .header(HttpHeaders.RETRY_AFTER, after.plusMillis(999).toSeconds());
        }
        return response.build();
    }

    /** What can be asked of a batch as well is asked there: the same request with the path of the batch. */
    @ServerExceptionMapper
    Response batch(final NamesBatchException named, final UriInfo uri) {
        final Matcher path = OF_JOB.matcher(uri.getPath());
        return path.matches()
                ? Response.status(Response.Status.TEMPORARY_REDIRECT)
                        .location(URI.create("/api/v1/batches/" + named.batch() + path.group(1)))
                        .build()
                : response(
                                Problem.of(new RequestRefused(
                                        RequestRefused.Kind.CONFLICT, String.valueOf(named.getMessage()))),
                                uri)
                        .build();
    }

    @ServerExceptionMapper
    Response standard(final WebApplicationException e, final UriInfo uri) {
        final int status = e.getResponse().getStatus();
        final Problem problem = switch (status) {
            case 404 -> Problem.of(404, "not-found", "Not found", "resource not found; see /q/openapi");
            case 405 ->
                Problem.of(405, "method-not-allowed", "Method not allowed", "allowed: " + methods.of(uri.getPath()));
            case 406 ->
                Problem.of(406, "not-acceptable", "Not acceptable", "the response is JSON; accept application/json");
            case 413 -> Problem.of(BodySizeLimit.REFUSED);
            case 415 -> Problem.of(415, "unsupported-media-type", "Unsupported media type", "send application/json");
            default ->
                Problem.of(
                        status,
                        status < 500 ? "malformed" : "internal",
                        e.getResponse().getStatusInfo().getReasonPhrase(),
                        status < 500 ? String.valueOf(e.getMessage()) : "the request could not be processed");
        };
        final Response.ResponseBuilder response = response(problem, uri);
        if (status == 405) {
            response.header(HttpHeaders.ALLOW, methods.of(uri.getPath()));
        }
        return response.build();
    }

    @ServerExceptionMapper
    Response unexpected(final Throwable e, final UriInfo uri) {
        if (isDatabaseUnavailable(e)) {
            LOG.atWarn()
                    .addKeyValue("path", uri.getPath())
                    .addKeyValue("reason", e.getMessage())
                    .log("database does not answer");
            return response(
                            Problem.of(
                                    503, "unavailable", "Try again later", "the read model's database does not answer"),
                            uri)
                    .build();
        }
        final String incident = UUID.randomUUID().toString();
        LOG.atError()
                .setCause(e)
                .addKeyValue("path", uri.getPath())
                .addKeyValue("incident", incident)
                .log("request failed");
        return response(
                        Problem.of(
                                500,
                                "internal",
                                "Internal error",
                                "the request failed with an internal error; the log of submit-service contains the"
                                        + " cause with incident "
                                        + incident),
                        uri)
                .build();
    }

    /** SQL state class 08 is a connection error; the connection pool reports its errors without a state. */
    private static boolean isDatabaseUnavailable(final Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause() == cause ? null : cause.getCause()) {
            if (cause instanceof SQLException sql
                    && (sql.getSQLState() == null || sql.getSQLState().startsWith("08"))) {
                return true;
            }
        }
        return false;
    }

    private static Response.ResponseBuilder response(final Problem problem, final UriInfo uri) {
        final Response.ResponseBuilder response = Response.status(problem.status())
                .type(Problem.MEDIA_TYPE)
                .entity(problem.at(uri.getRequestUri().getRawPath()));
        if (problem.status() == 401) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"millrace\"");
        }
        if (problem.status() == 503 || problem.status() == 429) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_S);
        }
        return response;
    }
}
