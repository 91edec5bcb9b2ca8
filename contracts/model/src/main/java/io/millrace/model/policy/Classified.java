package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The classes a job belongs to, by primary classification (Bychkov et al. 2013, section 1, function chi).
 *
 * @param job a local job or a global one
 * @param classes all that fit, in the order of the class file; empty if none does
 * @param evidence what was compared, e.g. {@code cores=4 in [2,), walltime=PT30M in [PT5M,PT1H)}
 */
public record Classified(JobRef job, List<String> classes, List<String> evidence) implements Event {

    public Classified {
        classes = List.copyOf(classes);
        evidence = List.copyOf(evidence);
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
