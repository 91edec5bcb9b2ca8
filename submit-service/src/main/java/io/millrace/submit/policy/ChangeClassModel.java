package io.millrace.submit.policy;

import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.ReasonText;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.policy.ClassModelState;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests another class model, or a preview of it, from classifier-service, which checks its content. */
@ApplicationScoped
public class ChangeClassModel {

    /** Only operators change or preview models, because a preview shows the jobs of all users. */
    public static final String WHAT = "changing or previewing the class model";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeClassModel.class);
    private static final int MAX_MODEL = 256 * 1024;

    private final EventPublisher log;
    private final ShowClassModel models;
    private final WaitForProjection projection;
    private final Clock clock;

    ChangeClassModel(
            final EventPublisher log,
            final ShowClassModel models,
            final WaitForProjection projection,
            final Clock clock) {
        this.log = log;
        this.models = models;
        this.projection = projection;
        this.clock = clock;
    }

    /** A request on the log. */
    public record Accepted(ClassModelRequested request, LogPosition position) {}

    /**
     * @param model YAML
     * @param basedOn version of the model that the caller has read
     * @throws RequestRefused if the caller is not an operator, the version is outdated, or the model or the reason is missing
     */
    public Accepted change(
            final Caller caller, final @Nullable String model, final @Nullable String reason, final long basedOn) {
        caller.requireOperator(WHAT);
        final String text = checked(model);
        final ClassModelState before = models.model();
        if (before.version() != basedOn) {
            throw new RequestRefused(
                    RequestRefused.Kind.OUTDATED,
                    "the class model has version " + before.version() + ", not " + basedOn
                            + "; read the current version and retry");
        }
        return request(caller, text, ReasonText.required(reason), basedOn, false);
    }

    /**
     * @param model YAML; null: the model in force
     * @throws RequestRefused if the caller is not an operator, or there is no model
     */
    public Accepted preview(final Caller caller, final @Nullable String model) {
        caller.requireOperator(WHAT);
        final ClassModelState before = models.model();
        final String inForce =
                before.inForce() == null ? null : before.inForce().model();
        return request(caller, checked(model == null ? inForce : model), "preview", before.version(), true);
    }

    private static String checked(final @Nullable String model) {
        if (model == null || model.isBlank()) {
            throw RequestRefused.invalid("model", "is missing; send the model as YAML text");
        }
        if (model.length() > MAX_MODEL) {
            throw RequestRefused.invalid("model", "must have at most " + MAX_MODEL + " characters");
        }
        try {
            YamlFile.checkSyntax("class model", model);
        } catch (final IllegalArgumentException e) {
            throw RequestRefused.invalid("model", "cannot be read: " + e.getMessage());
        }
        return model;
    }

    private Accepted request(
            final Caller caller, final String model, final String reason, final long basedOn, final boolean preview) {
        final ClassModelRequested request = new ClassModelRequested(
                model, caller.user(), reason, basedOn, clock.instant().truncatedTo(ChronoUnit.MILLIS), preview);
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("user", caller.user())
                .addKeyValue("reason", reason)
                .log(preview ? "preview of a class model requested" : "class model requested");
        projection.passed(at);
        return new Accepted(request, at);
    }
}
