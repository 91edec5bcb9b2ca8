package io.millrace.agent.torque.command;

import io.millrace.agent.torque.query.ReportedJob;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.SingleStarts;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Control;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Starts several tasks of a waiting array one by one, because each {@code qrun} names the hosts of one task. */
public final class ArrayStarts {

    private final ClusterId cluster;
    private final JobStarts starts;

    public ArrayStarts(final ClusterId cluster, final JobStarts starts) {
        this.cluster = cluster;
        this.starts = starts;
    }

    public Answer<StartedTasks> start(
            final JobKey array,
            final ReportedJob seen,
            final String indices,
            final Control control,
            final TorqueFeatures known) {
        final Map<Integer, JobKey> waiting =
                seen.tasks().stream().collect(Collectors.toMap(ReportedJob::index, task -> task.key(cluster)));
        final String startable = ArrayIndices.both(indices, ArrayIndices.write(waiting.keySet()));
        return startable.isEmpty()
                ? Answer.trouble(Answer.Kind.WRONG_STATE, "job " + array.id() + " has no waiting tasks " + indices)
                : SingleStarts.of(
                        indices,
                        startable,
                        1, // each start chooses among the free nodes
                        index -> starts.start(Objects.requireNonNull(waiting.get(index)), control, known));
    }
}
