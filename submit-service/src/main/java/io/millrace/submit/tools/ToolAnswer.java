package io.millrace.submit.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request of a tool.
 *
 * @param id the claim {@code jti} of the request; null if the request is not signed with the tool's key
 * @param offset of the request
 * @param status as the HTTP status of the same request by REST; 202 if it was accepted
 * @param job the id of the accepted job
 * @param number by which people name the job
 * @param detail why it was refused, and the remedy
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolAnswer(
        @Nullable String id,
        long offset,
        int status,
        @Nullable String job,
        @Nullable String number,
        @Nullable String detail) {}
