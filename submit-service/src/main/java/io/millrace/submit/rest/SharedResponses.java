package io.millrace.submit.rest;

import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobStatus;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Arrays;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Adds to the OpenAPI document what operations have in common: the problem responses, the offset of an accepted change, the parameter
 * that waits for it, and the states of jobs. An annotation of the resource class would replace the success responses.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class SharedResponses implements OASFilter {

    @Override
    public void filterOpenAPI(final OpenAPI api) {
        final List<String> states =
                Arrays.stream(JobStatus.values()).map(JobStatus::word).toList();
        api.getComponents()
                .addSchema("JobState", words(states).description("See docs/states.md"))
                .addSchema(
                        "JobStage", words(GlobalJobState.WORDS).description("Stage of the state; see docs/states.md"))
                .addSchema("JobStateFilter", anyOf(JobStatus.FILTERS))
                .addSchema("JobStageFilter", anyOf(GlobalJobState.WORDS));
    }

    private static Schema anyOf(final List<String> words) {
        return OASFactory.createSchema().addType(Schema.SchemaType.ARRAY).items(words(words));
    }

    private static Schema words(final List<String> words) {
        return OASFactory.createSchema().addType(Schema.SchemaType.STRING).enumeration(List.copyOf(words));
    }

    @Override
    public Operation filterOperation(final Operation operation) {
        final APIResponses responses = operation.getResponses();
        responses.removeAPIResponse("400"); // generated without content; the default response describes it
        responses.getAPIResponses().forEach(SharedResponses::complete);
        responses
                .addAPIResponse("401", OASFactory.createAPIResponse().ref(Api.UNAUTHENTICATED))
                .addAPIResponse("429", OASFactory.createAPIResponse().ref(Api.TOO_MANY))
                .addAPIResponse("default", OASFactory.createAPIResponse().ref(Api.PROBLEM));
        return operation;
    }

    private static void complete(final String code, final APIResponse response) {
        if (code.equals("202") && response.getContent() != null) {
            response.addHeader(Api.OFFSET, OASFactory.createHeader().ref(Api.OFFSET));
        }
        if (code.startsWith("4")) {
            describeAsProblem(response);
        }
    }

    /** The content may have examples already. */
    private static void describeAsProblem(final APIResponse response) {
        final Content content = response.getContent() == null ? OASFactory.createContent() : response.getContent();
        final MediaType described = content.hasMediaType(Problem.MEDIA_TYPE)
                ? content.getMediaType(Problem.MEDIA_TYPE)
                : OASFactory.createMediaType();
        described.setSchema(OASFactory.createSchema().ref("Problem"));
        response.setContent(content.addMediaType(Problem.MEDIA_TYPE, described));
    }

    @Override
    public Parameter filterParameter(final Parameter parameter) {
        return Api.OFFSET.equals(parameter.getName())
                ? parameter.description("Wait until the read model contains this record")
                : parameter;
    }
}
