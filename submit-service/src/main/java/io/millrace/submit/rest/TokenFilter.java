package io.millrace.submit.rest;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.identity.LoginTokenVerifier;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Requires a valid token and a place for the caller on every route, even on unknown routes. Health, metrics and OpenAPI are served elsewhere. */
class TokenFilter {

    private static final String SCHEME = "Bearer ";

    private final LoginTokenVerifier tokens;
    private final Admission admission;

    TokenFilter(final LoginTokenVerifier tokens, final Admission admission) {
        this.tokens = tokens;
        this.admission = admission;
    }

    @ServerRequestFilter(preMatching = true)
    Uni<Response> authenticate(final ContainerRequestContext request, final RoutingContext context) {
        final String address = context.request().remoteAddress().hostAddress();
        final Admission.Turn turn = admission.turn(context);
        return verified(request)
                .onFailure(RequestRefused.class)
                .transform(refused -> admission.unauthenticated(address, (RequestRefused) refused))
                .invoke(authenticated -> request.setSecurityContext(new CallerContext(authenticated)))
                .flatMap(authenticated -> turn.of(authenticated.caller().user()))
                .replaceWith((Response) null);
    }

    private Uni<LoginTokenVerifier.AuthenticatedCaller> verified(final ContainerRequestContext request) {
        final String header = request.getHeaderString(HttpHeaders.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Uni.createFrom()
                    .failure(new RequestRefused(
                            RequestRefused.Kind.UNAUTHENTICATED,
                            "token missing; send 'Authorization: Bearer …' with a token from mglogin"));
        }
        final String token = header.substring(SCHEME.length()).strip();
        final Uni<LoginTokenVerifier.AuthenticatedCaller> verified =
                Uni.createFrom().item(() -> tokens.verify(token));
        return tokens.mayBlock(token) ? verified.runSubscriptionOn(Infrastructure.getDefaultWorkerPool()) : verified;
    }
}
