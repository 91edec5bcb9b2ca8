package io.millrace.agent.slurm.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds what runs used. Only slurmdbd knows it, and shortly after the other sources know the end, so the end of a run waits for it for a few
 * seconds. A cluster without slurmdbd reports ends without usage, and so does one whose slurmdbd does not answer.
 */
public final class UsageLookup {

    /** slurmctld sends the end of a run to slurmdbd after it has written it to the completion log. */
    private static final Duration DELAY = Duration.ofSeconds(10);
    /** Time without queries after slurmdbd did not answer. */
    private static final Duration PAUSE = Duration.ofMinutes(1);
    /** Tolerance between the times of two sources. */
    private static final Duration NEAR = Duration.ofSeconds(1);

    private static final RunOutcome KILLED = new RunOutcome.Signalled(9);

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private Instant nextQuery = Instant.MIN;

    public UsageLookup(final SlurmSite site, final Runner runner, final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
    }

    /** The runs with their usage, without runs that end a job and whose usage will be known soon. */
    public List<Run> complete(final List<Run> runs) {
        final Map<String, List<RunUsageQuery.Part>> known = known(runs);
        return known == null
                ? runs
                : runs.stream()
                        .flatMap(run ->
                                complete(run, known.getOrDefault(run.job().id().local(), List.of())).stream())
                        .toList();
    }

    /** The jobs with the usage of their runs, without jobs whose usage will be known soon. */
    public List<EndedJob> completeJobs(final List<EndedJob> jobs) {
        final Map<JobKey, List<Run>> complete =
                complete(jobs.stream().flatMap(job -> job.runs().stream()).toList()).stream()
                        .collect(Collectors.groupingBy(Run::job));
        return jobs.stream()
                .filter(job -> complete.getOrDefault(job.job(), List.of()).size()
                        == job.runs().size())
                .map(job -> job.with(Objects.requireNonNull(complete.get(job.job()))))
                .toList();
    }

    private synchronized @Nullable Map<String, List<RunUsageQuery.Part>> known(final Collection<Run> runs) {
        final List<String> ids = runs.stream()
                .filter(run -> run.started() != null)
                .map(run -> run.job().id().local())
                .distinct()
                .sorted()
                .toList();
        if (ids.isEmpty() || clock.instant().isBefore(nextQuery)) {
            return null;
        }
        return switch (runner.run(new RunUsageQuery(site, ids))) {
            case Answer.Ok<List<RunUsageQuery.Part>> ok ->
                ok.value().stream().collect(Collectors.groupingBy(RunUsageQuery.Part::job));
            case Answer.Trouble<List<RunUsageQuery.Part>> trouble -> {
                nextQuery = clock.instant().plus(PAUSE);
                yield null;
            }
        };
    }

    private Optional<Run> complete(final Run run, final List<RunUsageQuery.Part> ofJob) {
        final List<RunUsageQuery.Part> parts =
                ofJob.stream().filter(part -> isWithin(part, run)).toList();
        final boolean ended = parts.stream()
                .anyMatch(part -> part.ended() != null
                        && !part.ended().isBefore(run.ended().minus(NEAR)));
        final boolean waits = !ended
                && run.started() != null
                && run.outcome().endsTheKey()
                && clock.instant().isBefore(run.ended().plus(DELAY));
        return waits ? Optional.empty() : Optional.of(explained(run.with(sum(parts)), parts));
    }

    /** Without cgroups, Slurm kills a job that uses too much memory ({@code OverMemoryKill}) and reports it as failed by SIGKILL. */
    private static Run explained(final Run run, final List<RunUsageQuery.Part> parts) {
        final long allocated_mib =
                parts.stream().mapToLong(RunUsageQuery.Part::memoryMib).sum();
        final Long peak = run.used().peakMemoryBytes();
        return KILLED.equals(run.outcome()) && allocated_mib > 0 && peak != null && peak > allocated_mib << 20
                ? run.with(new RunOutcome.OutOfMemory())
                : run;
    }

    /** The parts between two resizes follow each other; components of a heterogeneous job run side by side. */
    private static ResourceUsage sum(final List<RunUsageQuery.Part> parts) {
        final Map<Integer, ResourceUsage> byComponent = new TreeMap<>();
        parts.forEach(part -> byComponent.merge(part.component(), part.used(), ResourceUsage::then));
        return byComponent.values().stream().reduce(ResourceUsage.NONE, ResourceUsage::beside);
    }

    /** A requeued job has the same id in each run, and an id is used again. */
    private static boolean isWithin(final RunUsageQuery.Part part, final Run run) {
        final Instant begin = run.started();
        final Instant started = part.started();
        return begin != null
                && started != null
                && (started.equals(begin) || started.isAfter(begin) && started.isBefore(run.ended()));
    }
}
