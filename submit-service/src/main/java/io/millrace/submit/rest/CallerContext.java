package io.millrace.submit.rest;

import io.millrace.submit.domain.Caller;
import io.millrace.submit.identity.LoginTokenVerifier;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/** The authenticated caller as the security context of a request. */
public record CallerContext(LoginTokenVerifier.AuthenticatedCaller authenticated) implements SecurityContext {

    public static Caller caller(final SecurityContext security) {
        return of(security).authenticated.caller();
    }

    public static LoginTokenVerifier.AuthenticatedCaller authenticated(final SecurityContext security) {
        return of(security).authenticated;
    }

    private static CallerContext of(final SecurityContext security) {
        if (security instanceof CallerContext identified) {
            return identified;
        }
        throw new IllegalStateException("the request did not pass the token filter");
    }

    @Override
    public Principal getUserPrincipal() {
        return () -> authenticated.caller().user().value();
    }

    @Override
    public boolean isUserInRole(final String role) {
        return role.equals("operator") && authenticated.caller().operator();
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
