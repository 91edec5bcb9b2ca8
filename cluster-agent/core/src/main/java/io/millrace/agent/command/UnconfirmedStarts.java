package io.millrace.agent.command;

import io.millrace.agent.wlm.Observation;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Starts that were executed and that no observation shows yet. A scheduler may take a pass or two until the job runs. */
final class UnconfirmedStarts {

    /** After this time an observation counts as including the start, whatever it shows. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Map<CommandId, Start> starts = new HashMap<>();

    private record Start(JobKey job, Instant deadline) {}

    void add(final CommandId command, final JobKey job, final Instant at) {
        starts.put(command, new Start(job, at.plus(TIMEOUT)));
    }

    boolean contains(final CommandId command) {
        return starts.containsKey(command);
    }

    /** Removes and returns the starts that this observation shows or that have passed their deadline. */
    List<CommandId> take(final Observation seen) {
        final Set<JobKey> waiting = seen.jobs().stream()
                .filter(job -> job.state().isWaiting())
                .map(JobObserved::job)
                .collect(Collectors.toSet());
        final List<CommandId> taken = starts.entrySet().stream()
                .filter(start -> !waiting.contains(start.getValue().job())
                        || start.getValue().deadline().isBefore(seen.at()))
                .map(Map.Entry::getKey)
                .toList();
        taken.forEach(starts::remove);
        return taken;
    }
}
