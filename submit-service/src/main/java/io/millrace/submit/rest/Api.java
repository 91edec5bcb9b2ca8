package io.millrace.submit.rest;

import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;

/** General information of the OpenAPI document. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Millrace",
                        version = "1",
                        description =
                                "One queue for all clusters of a computing centre. Errors are problem details (RFC 9457)."
                                        + " The response to a change has the header Millrace-Offset; a GET request that sends this header sees the change.",
                        license = @License(name = "Apache-2.0")),
        security = @SecurityRequirement(name = "token"))
@SecurityScheme(
        securitySchemeName = "token",
        type = SecuritySchemeType.HTTP,
        scheme = "bearer",
        bearerFormat = "JWT",
        description = "Issued by mglogin on a login node; valid for at most 12 hours")
public class Api extends Application {

    public static final String OFFSET = "Millrace-Offset";
}
