package io.millrace.submit.rest;

import io.millrace.model.UserName;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.identity.LoginTokenVerifier;
import io.millrace.submit.joining.JoinCluster;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.regex.Matcher;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Requires a valid token and a place for the caller on every route, even on unknown routes. Health, metrics and OpenAPI are served elsewhere. */
class TokenFilter {

    private static final String SCHEME = "Bearer ";

    private final LoginTokenVerifier tokens;
    private static final UserName INVITED = UserName.of("invited-agents");

    private final Admission admission;
    private final JoinCluster joining;

    TokenFilter(final LoginTokenVerifier tokens, final Admission admission, final JoinCluster joining) {
        this.tokens = tokens;
        this.admission = admission;
        this.joining = joining;
    }

    @ServerRequestFilter(preMatching = true)
    Uni<Response> authenticate(final ContainerRequestContext request, final RoutingContext context) {
        final String address = context.request().remoteAddress().hostAddress();
        final Admission.Turn turn = admission.turn(context);
        final Matcher join = InvitedContext.PATH.matcher(context.normalizedPath());
        if (join.matches()) {
            return invited(request, join.group(1))
                    .onFailure(RequestRefused.class)
                    .transform(refused -> admission.unauthenticated(address, (RequestRefused) refused))
                    .flatMap(done -> turn.of(INVITED))
                    .replaceWith((Response) null);
        }
        return verified(request)
                .onFailure(RequestRefused.class)
                .transform(refused -> admission.unauthenticated(address, (RequestRefused) refused))
                .invoke(authenticated -> request.setSecurityContext(new CallerContext(authenticated)))
                .flatMap(authenticated -> turn.of(authenticated.caller().user()))
                .replaceWith((Response) null);
    }

    /** The one route without a login: an agent presents the invitation of its cluster. */
    private Uni<Void> invited(final ContainerRequestContext request, final String cluster) {
        final String token = bearer(request);
        request.setSecurityContext(new InvitedContext(token));
        return Uni.createFrom()
                .<Void>item(() -> {
                    joining.requireInvitation(cluster, token);
                    return null;
                })
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }

    /** The token in the request; empty if there is none. */
    private static String bearer(final ContainerRequestContext request) {
        final String header = request.getHeaderString(HttpHeaders.AUTHORIZATION);
        return header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? ""
                : header.substring(SCHEME.length()).strip();
    }

    private Uni<LoginTokenVerifier.AuthenticatedCaller> verified(final ContainerRequestContext request) {
        final String token = bearer(request);
        if (token.isEmpty()) {
            return Uni.createFrom()
                    .failure(new RequestRefused(
                            RequestRefused.Kind.UNAUTHENTICATED,
                            "token missing; send 'Authorization: Bearer …' with a token from mglogin"));
        }
        final Uni<LoginTokenVerifier.AuthenticatedCaller> verified =
                Uni.createFrom().item(() -> tokens.verify(token));
        return tokens.mayBlock(token) ? verified.runSubscriptionOn(Infrastructure.getDefaultWorkerPool()) : verified;
    }
}
