package io.millrace.submit.rest.jobs;

import io.millrace.model.file.FileRequest;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobFolder;
import io.millrace.submit.files.ReadJobFile;
import io.millrace.submit.rest.CallerContext;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Files of global jobs, read on the cluster where they are. */
@Path("/api/v1/jobs/{id}/files")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "jobs")
public class JobFilesResource {

    private static final int MAX_PATH = 4096;

    private final ReadJobFile files;

    JobFilesResource(final ReadJobFile files) {
        this.files = files;
    }

    @GET
    @RunOnVirtualThread // waits for the agent
    @Operation(
            operationId = "readJobFile",
            summary = "Read a part of a file, or list a folder, in the directory of a job, while it runs or afterwards."
                    + " It is read with the rights of the job's owner")
    public JobFileView read(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            @Parameter(description = "File or folder in the job's directory; `.`: the directory. Absent: the stream")
                    @QueryParam("path")
                    final @Nullable String path,
            @Parameter(
                            description = "File of a standard stream",
                            schema =
                                    @Schema(
                                            type = SchemaType.STRING,
                                            enumeration = {"output", "error"},
                                            defaultValue = "output"))
                    @QueryParam("stream")
                    @DefaultValue("output")
                    final String stream,
            @Parameter(
                            description = "First byte; absent: the end of the file",
                            schema = @Schema(type = SchemaType.INTEGER, format = "int64", minimum = "0"))
                    @QueryParam("offset")
                    final @Nullable String offset,
            @Parameter(
                            description = "Maximum number of bytes",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "0",
                                            maximum = "65536",
                                            defaultValue = "65536"))
                    @QueryParam("length")
                    @DefaultValue("65536")
                    final String length) {
        return JobFileView.of(files.read(
                CallerContext.caller(security),
                id,
                new ReadJobFile.Selection(
                        path == null ? null : requirePath(path),
                        stream(stream),
                        offset == null ? null : number("offset", offset, Long.MAX_VALUE),
                        (int) number("length", length, FileRequest.MAX_BYTES))));
    }

    private static String requirePath(final String path) {
        if (path.length() > MAX_PATH || path.indexOf('\0') >= 0) {
            throw RequestRefused.invalid(
                    "path", "must have at most " + MAX_PATH + " characters and no zero characters");
        }
        return path;
    }

    private static JobFolder.Stream stream(final String name) {
        return switch (name) {
            case "output" -> JobFolder.Stream.OUTPUT;
            case "error" -> JobFolder.Stream.ERROR;
            default ->
                throw RequestRefused.invalid("stream", "'" + name + "' is not a stream; use 'output' or 'error'");
        };
    }

    private static long number(final String name, final String text, final long max) {
        if (text.matches("\\d{1,18}") && Long.parseLong(text) <= max) {
            return Long.parseLong(text);
        }
        throw RequestRefused.malformed(name, "must be a whole number between 0 and " + max + ", got '" + text + "'");
    }
}
