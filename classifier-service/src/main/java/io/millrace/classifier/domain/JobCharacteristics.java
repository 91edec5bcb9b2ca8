package io.millrace.classifier.domain;

import io.millrace.model.Resources;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The characteristics that a job states (its vector x). The map holds no entry for the others. */
public final class JobCharacteristics {

    private JobCharacteristics() {}

    public static Map<Characteristic, Value> of(final JobObserved job) {
        final Map<Characteristic, Value> stated = common(job.resources(), job.walltime());
        ArraySize.of(job.job().id().local()).ifPresent(n -> stated.put(Characteristic.VARIANTS, new Value.Count(n)));
        stated.put(Characteristic.OWNER, new Value.Name(job.owner().value()));
        stated.put(Characteristic.PARTITION, new Value.Name(job.partition().value()));
        if (job.project() != null) {
            stated.put(Characteristic.PROJECT, new Value.Name(job.project().value()));
        }
        return stated;
    }

    public static Map<Characteristic, Value> of(final JobSubmitted job) {
        final JobSpec spec = job.spec();
        final Map<Characteristic, Value> stated = common(spec.resources(), spec.walltime());
        stated.put(Characteristic.VARIANTS, new Value.Count(1));
        stated.put(Characteristic.OWNER, new Value.Name(job.owner().value()));
        if (spec.partition() != null) {
            stated.put(Characteristic.PARTITION, new Value.Name(spec.partition().value()));
        }
        if (spec.project() != null) {
            stated.put(Characteristic.PROJECT, new Value.Name(spec.project().value()));
        }
        return stated;
    }

    private static Map<Characteristic, Value> common(final Resources asked, final @Nullable Duration walltime) {
        final Map<Characteristic, Value> stated = new EnumMap<>(Characteristic.class);
        stated.put(Characteristic.CORES, new Value.Count(asked.cores()));
        stated.put(Characteristic.GPUS, new Value.Count(asked.gpus()));
        if (asked.nodes() > 0) {
            stated.put(Characteristic.NODES, new Value.Count(asked.nodes()));
        }
        if (asked.memoryMib() > 0) {
            stated.put(Characteristic.MEMORY_MIB, new Value.Count(asked.memoryMib()));
        }
        stated.put(Characteristic.WALLTIME, walltime == null ? new Value.Unlimited() : new Value.Length(walltime));
        return stated;
    }
}
