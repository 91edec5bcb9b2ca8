package io.millrace.quota.domain.budget;

import io.millrace.decide.ClusterView;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.quota.ProcessorTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** the reservation of a job: cores and GPUs x its walltime limit, else its partition's, at the tariff. */
final class BudgetReservations {

    private final Tariff tariff;
    private final Function<JobKey, List<String>> classes;
    private final Map<PartitionName, Duration> longest = new HashMap<>();

    BudgetReservations(final Tariff tariff, final ClusterView view, final Function<JobKey, List<String>> classes) {
        this.tariff = tariff;
        this.classes = classes;
        for (final PartitionObserved partition : view.partitions()) {
            if (partition.walltimeLimit() != null) {
                longest.put(partition.partition(), partition.walltimeLimit());
            }
        }
    }

    /** Empty if the job has no walltime limit. */
    Optional<ProcessorTime> of(final JobObserved job) {
        final Duration own = job.walltime();
        final Duration bound = own != null ? own : longest.get(job.partition());
        return Optional.ofNullable(bound)
                .map(limit -> tariff.rate(job.cluster(), classes.apply(job.job()))
                        .cost(job.resources(), Math.max(0, limit.toSeconds())));
    }
}
