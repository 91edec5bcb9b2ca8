package io.millrace.submit.rest;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Adds the problem responses to every operation of the OpenAPI document. An annotation of the resource class would replace the
 * success responses.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ErrorResponses implements OASFilter {

    @Override
    public Operation filterOperation(final Operation operation) {
        final APIResponses responses = operation.getResponses();
        responses.removeAPIResponse("400"); // generated without content; the default response describes it
        responses
                .addAPIResponse("401", OASFactory.createAPIResponse().ref(Api.UNAUTHENTICATED))
                .addAPIResponse("default", OASFactory.createAPIResponse().ref(Api.PROBLEM));
        return operation;
    }
}
