package io.millrace.submit.domain.policy;

import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Request.ClassModelRequested;
import org.jspecify.annotations.Nullable;

/**
 * The class model in force, and a change that is pending or refused.
 *
 * @param inForce null until classifier-service has published the model
 * @param request the latest requested change; null if there is none or it is in force
 * @param refusal why it was refused; null if it was not
 */
public record ClassModelState(
        @Nullable ClassModelSet inForce,
        @Nullable ClassModelRequested request,
        @Nullable String refusal) {

    /** @param answer the latest answer to the author of the request */
    public static ClassModelState of(
            final @Nullable ClassModelSet inForce,
            final @Nullable ClassModelRequested request,
            final @Nullable ClassModelChecked answer) {
        if (request == null
                || inForce != null
                        && inForce.changedAt().equals(request.requestedAt())
                        && inForce.author().equals(request.author())) {
            return new ClassModelState(inForce, null, null);
        }
        if (answer == null || answer.preview() || !answer.requestedAt().equals(request.requestedAt())) {
            return new ClassModelState(inForce, request, null);
        }
        return new ClassModelState(inForce, request, answer.error());
    }

    public long version() {
        return inForce == null ? 0 : inForce.version();
    }

    /** Whether the request will not come into force. */
    public boolean isRefused() {
        return refusal != null || request != null && version() > request.basedOn();
    }
}
