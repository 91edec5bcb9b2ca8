package io.millrace.submit.rest;

import io.millrace.submit.domain.Caller;
import io.millrace.submit.identity.LoginTokens;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.time.Instant;

/** Who asks, as the routes see it. */
record Identified(LoginTokens.Believed believed) implements SecurityContext {

    static Caller caller(final SecurityContext security) {
        return of(security).believed.caller();
    }

    static Instant until(final SecurityContext security) {
        return of(security).believed.until();
    }

    private static Identified of(final SecurityContext security) {
        if (security instanceof Identified identified) {
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
