package io.millrace.submit.rest;

import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;

/** What the API's description says about all routes. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Millrace",
                        version = "1",
                        description =
                                "One queue over the clusters of a computing centre. Every error is a problem as in RFC 9457."
                                        + " An answer to a change carries the header Millrace-Offset; a GET that sends it back sees the change.",
                        license = @License(name = "Apache-2.0")),
        security = @SecurityRequirement(name = "token"))
@SecurityScheme(
        securitySchemeName = "token",
        type = SecuritySchemeType.HTTP,
        scheme = "bearer",
        bearerFormat = "JWT",
        description = "From mglogin on a login node; good for at most 12 hours")
public class Api extends Application {

    public static final String OFFSET = "Millrace-Offset";
}
