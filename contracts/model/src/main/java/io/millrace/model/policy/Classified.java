package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a job (Bychkov et al. 2013).
 *
 * @param job a local job or a global one
 * @param classes all that remain after the stages of the model, best first; empty if none fits
 * @param evidence what was compared, e.g. {@code small: cores=4 in [2,8], minutes=30 in (5,60]}, and the values of each stage, e.g.
 *     {@code stage rho: small=0.2500}
 * @param estimate of the run time, made when the job was first seen; null if no comparable job has ended
 * @param modelVersion version of the class model that it was classified with; null if it is not known
 */
public record Classified(
        JobRef job,
        List<String> classes,
        List<String> evidence,
        @Nullable RunTimeEstimate estimate,
        @Nullable Long modelVersion)
        implements Event {

    public Classified {
        classes = List.copyOf(classes);
        evidence = List.copyOf(evidence);
    }

    /** Without an estimate and version. */
    public Classified(final JobRef job, final List<String> classes, final List<String> evidence) {
        this(job, classes, evidence, null, null);
    }

    public Classified withEstimate(final @Nullable RunTimeEstimate other) {
        return new Classified(job, classes, evidence, other, modelVersion);
    }

    @Override
    public String key() {
        return job.toString();
    }

    @Override
    public @Nullable ClusterId cluster() {
        return job instanceof JobKey local ? local.cluster() : null;
    }
}
