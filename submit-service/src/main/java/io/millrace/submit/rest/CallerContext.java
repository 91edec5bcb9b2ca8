package io.millrace.submit.rest;

import io.millrace.submit.domain.Caller;
import io.millrace.submit.identity.LoginTokenVerifier;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.time.Instant;

/** Who asks, as the routes see it. */
public record CallerContext(LoginTokenVerifier.AuthenticatedCaller believed) implements SecurityContext {

    public static Caller caller(final SecurityContext security) {
        return of(security).believed.caller();
    }

    public static Instant until(final SecurityContext security) {
        return of(security).believed.until();
    }

    private static CallerContext of(final SecurityContext security) {
        if (security instanceof CallerContext identified) {
            return identified;
        }
        throw new IllegalStateException("a route was reached without passing the token filter");
    }

    @Override
    public Principal getUserPrincipal() {
        return () -> believed.caller().user().value();
    }

    @Override
    public boolean isUserInRole(final String role) {
        return role.equals("operator") && believed.caller().operator();
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public String getAuthenticationScheme() {
        return "Bearer";
    }
}
