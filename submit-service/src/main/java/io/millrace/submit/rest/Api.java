package io.millrace.submit.rest;

import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.HttpHeaders;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.eclipse.microprofile.openapi.annotations.servers.Server;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The parts of the OpenAPI document that operations share. {@code META-INF/openapi.yaml} contains the examples. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Millrace",
                        version = "1",
                        description =
                                "One queue for all clusters of a computing centre. Errors are problem details (RFC"
                                        + " 9457). The response to a change has the header Millrace-Offset; a GET request"
                                        + " that sends this header sees the change.",
                        license = @License(name = "Apache-2.0", url = "https://www.apache.org/licenses/LICENSE-2.0")),
        servers = @Server(url = "/", description = "The submit-service of the site"),
        tags = {
            @Tag(name = "classes", description = "The class model"),
            @Tag(name = "clusters", description = "Clusters, the jobs in their queues and the deciding services"),
            @Tag(name = "events", description = "Job changes as a stream"),
            @Tag(name = "handlers", description = "Event handlers of the site; operators only"),
            @Tag(name = "jobs", description = "Global jobs"),
            @Tag(name = "priority", description = "Priority rules and the order of waiting jobs"),
            @Tag(name = "budgets", description = "Budgets and limits of processor time, and what is left of them"),
            @Tag(name = "quotas", description = "Quotas of users, projects and groups"),
            @Tag(name = "statements", description = "Cost of ended runs"),
            @Tag(name = "usage", description = "Usage records of ended runs"),
            @Tag(name = "users", description = "Locked users; operators only")
        },
        security = @SecurityRequirement(name = "token"),
        components =
                @Components(
                        responses = {
                            @APIResponse(
                                    name = Api.PROBLEM,
                                    description = "The error and its remedy",
                                    content =
                                            @Content(
                                                    mediaType = Problem.MEDIA_TYPE,
                                                    schema = @Schema(implementation = Problem.class))),
                            @APIResponse(
                                    name = Api.UNAUTHENTICATED,
                                    description = "No valid token",
                                    content =
                                            @Content(
                                                    mediaType = Problem.MEDIA_TYPE,
                                                    schema = @Schema(implementation = Problem.class))),
                            @APIResponse(
                                    name = Api.TOO_MANY,
                                    description = "A limit is reached; 'detail' names it with its figure",
                                    headers = @Header(name = HttpHeaders.RETRY_AFTER, ref = HttpHeaders.RETRY_AFTER),
                                    content =
                                            @Content(
                                                    mediaType = Problem.MEDIA_TYPE,
                                                    schema = @Schema(implementation = Problem.class)))
                        },
                        headers = {
                            @Header(
                                    name = HttpHeaders.RETRY_AFTER,
                                    description = "Seconds after which the request may be repeated",
                                    schema = @Schema(type = SchemaType.INTEGER)),
                            @Header(
                                    name = Api.OFFSET,
                                    description = "Record of the change on the log",
                                    schema = @Schema(type = SchemaType.STRING)),
                            @Header(
                                    name = Api.NEXT,
                                    description = "Cursor for 'after' on the next page; absent on the last page",
                                    schema = @Schema(type = SchemaType.STRING)),
                            @Header(
                                    name = HttpHeaders.ETAG,
                                    description = "Version, to be sent as If-Match of a change",
                                    schema = @Schema(type = SchemaType.STRING)),
                            @Header(
                                    name = HttpHeaders.LOCATION,
                                    description = "Path of the new job",
                                    schema = @Schema(type = SchemaType.STRING))
                        }))
@SecurityScheme(
        securitySchemeName = "token",
        type = SecuritySchemeType.HTTP,
        scheme = "bearer",
        bearerFormat = "JWT",
        description = "Issued by mglogin on a login node; valid for at most 12 hours")
public class Api extends Application {

    public static final String OFFSET = "Millrace-Offset";

    /** The cursor of the next page, if the body cannot contain it. */
    public static final String NEXT = "Millrace-Next";

    static final String PROBLEM = "Problem";
    static final String UNAUTHENTICATED = "Unauthenticated";
    static final String TOO_MANY = "TooMany";
}
