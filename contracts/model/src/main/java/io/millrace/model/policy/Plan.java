package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a decider foresees for a waiting job.
 *
 * @param predictedStart null if nothing can be said
 * @param place in the queue, from 1; 0 if there is no order
 * @param why what it waits for, in one sentence
 * @param vetoes what stood against an earlier start (or a placement), each with its figures
 */
public record Plan(
        JobRef job, Issuer issuer, @Nullable Instant predictedStart, int place, String why, List<Veto> vetoes)
        implements PlanEvent {

    public Plan {
        vetoes = List.copyOf(vetoes);
    }

    @Override
    public String key() {
        return job + "/" + issuer;
    }

    @Override
    public @Nullable ClusterId cluster() {
        return job instanceof JobKey local ? local.cluster() : null;
    }
}
