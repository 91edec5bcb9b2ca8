package io.millrace.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.UrlComponent;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A file in the directory of a job, read in parts through the REST API. */
final class RemoteFile {

    /** The commands read at most this much of a file at once; larger files are for the results. */
    static final int MAX_BYTES = 1024 * 1024;

    private final ApiClient api;
    private final String job;
    private final String selection;

    /** @param selection query parameters of the file */
    private RemoteFile(final ApiClient api, final String job, final String selection) {
        this.api = api;
        this.job = job;
        this.selection = selection;
    }

    static RemoteFile stream(final ApiClient api, final String job, final String stream) {
        return new RemoteFile(api, job, "stream=" + stream);
    }

    static RemoteFile path(final ApiClient api, final String job, final String path) {
        return new RemoteFile(api, job, "path=" + UrlComponent.encode(path));
    }

    /** A part of the file, or of a folder. */
    record Part(JsonNode answer, byte[] bytes) {

        long size() {
            return answer.path("size").asLong();
        }

        long offset() {
            return answer.path("offset").asLong();
        }

        long end() {
            return offset() + bytes.length;
        }

        boolean isLast() {
            return bytes.length == 0 || end() >= size();
        }

        /** Whether the job writes nothing more. */
        boolean isFinished() {
            return answer.path("finished").asBoolean();
        }
    }

    /** @param offset first byte; null: the end of the file */
    Part read(final @Nullable Long offset) throws CommandException {
        final JsonNode answer = api.get("/jobs/" + UrlComponent.encode(job) + "/files?" + selection
                + (offset == null ? "" : "&offset=" + offset));
        return new Part(
                answer, Base64.getDecoder().decode(answer.path("content").asText("")));
    }

    /** Whether the job has finished. */
    boolean isFinished() throws CommandException {
        return api.get("/jobs/" + UrlComponent.encode(job)).path("finished").asBoolean();
    }
}
