package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes the walltime of jobs, and queue, name and cores of pending ones. */
final class JobUpdate implements Altering {

    private final CommandExecutor executor;
    private final JobLookup lookup;

    JobUpdate(final CommandExecutor executor, final JobLookup lookup) {
        this.executor = executor;
        this.lookup = lookup;
    }

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        if (walltime.isNegative() || walltime.isZero()) {
            return Answer.trouble(Answer.Kind.REJECTED, "walltime must be greater than zero, got " + walltime);
        }
        return lookup.find(job)
                .then(found -> executor.run(
                        "bmod",
                        "-W",
                        Long.toString(Bsub.minutes(walltime)),
                        found.job().commandId()));
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return lookup.find(job)
                .then(found -> found.state().isWaiting()
                        ? executor.run("bswitch", partition.value(), found.job().commandId())
                        : lookup.wrongState(found, "is not pending"));
    }

    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        final List<String> words = new ArrayList<>(List.of("bmod"));
        if (name != null) {
            words.addAll(List.of("-J", Bsub.name(name)));
        }
        if (cores != null) {
            words.addAll(List.of("-n", cores.toString()));
        }
        return lookup.find(job).then(found -> {
            if (!found.state().isWaiting()) {
                return lookup.wrongState(found, "is not pending");
            }
            words.add(found.job().commandId());
            return executor.run(words.toArray(new String[0]));
        });
    }
}
