package io.millrace.submit.rest;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The security context of the one route that takes an invitation instead of a login. */
public record InvitedContext(String token) implements SecurityContext {

    static final Pattern PATH = Pattern.compile("/?api/v1/clusters/([^/]+)/join/?");

    public static String invitation(final SecurityContext security) {
        if (security instanceof InvitedContext invited) {
            return invited.token;
        }
        throw new IllegalStateException("the request did not pass the token filter");
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return null;
    }

    @Override
    public boolean isUserInRole(final String role) {
        return false;
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public String getAuthenticationScheme() {
        return "Bearer";
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "invitation";
    }
}
