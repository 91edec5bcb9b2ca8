package io.millrace.classifier.domain;

import io.millrace.model.UserName;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Request.ClassModelRequested;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Versions of the class model: the file applies until a request has set another model, and a request must be based on the version in force. */
public final class ModelChanges {

    /** The author of a model that comes from the configured file, or from the service itself. */
    public static final UserName FILE = UserName.of("file");

    private ModelChanges() {}

    /** What the file changes; empty if its model is in force, or a request has set another model. */
    public static Optional<ClassModelSet> fromFile(
            final String file, final List<String> warnings, final @Nullable ClassModelSet inForce, final Instant now) {
        if (inForce != null
                && (inForce.model().equals(file) || !inForce.author().equals(FILE))) {
            return Optional.empty();
        }
        return Optional.of(new ClassModelSet(
                file, warnings, FILE, "from the model file", now, inForce == null ? 1 : inForce.version() + 1));
    }

    /** Why a change is refused; empty if it is based on the version in force. */
    public static Optional<String> conflict(final ClassModelRequested request, final ClassModelSet inForce) {
        return request.basedOn() == inForce.version()
                ? Optional.empty()
                : Optional.of("the request is based on version " + request.basedOn() + ", but version "
                        + inForce.version() + " (by " + inForce.author()
                        + ") is in force; read the current version and retry");
    }

    public static ClassModelSet granted(
            final ClassModelRequested request, final List<String> warnings, final ClassModelSet inForce) {
        return new ClassModelSet(
                request.model(),
                warnings,
                request.author(),
                request.reason(),
                request.requestedAt(),
                inForce.version() + 1);
    }
}
