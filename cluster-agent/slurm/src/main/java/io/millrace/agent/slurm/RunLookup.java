package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Run;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How runs ended. Three sources, in the order in which they are exact: the lines that {@code jobcomp.lua} wrote; what slurmctld still
 * remembers; {@code sacct}, which lags behind, and prints exit codes of 128 and more without the 128. Each is asked only about what
 * those before it could not tell. A source that is away leaves its jobs unsettled; the others go on.
 */
final class RunLookup {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;

    RunLookup(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
    }

    Answer<List<Run>> of(final Collection<JobKey> jobs) {
        if (jobs.isEmpty()) {
            return Answer.ok(List.of());
        }
        final RunReconciliation inquiry = new RunReconciliation(site.cluster(), jobs);
        inquiry.read(runner.run(CompletionLogQuery.of(site, jobs)), noted -> inquiry.addRuns(noted, "jobcomp"));
        final Set<JobKey> open = inquiry.withoutFinalRun();
        if (!open.isEmpty()) {
            inquiry.read(
                    runner.run(JobQuery.of(site, ids(open), nonces.get())), rows -> inquiry.addQueueRows(open, rows));
        }
        final Set<JobKey> still = inquiry.incomplete();
        if (!still.isEmpty()) {
            inquiry.read(
                    runner.run(SacctQuery.of(site, ids(still), nonces.get())),
                    rows -> inquiry.addRuns(SacctRuns.of(rows), "sacct"));
        }
        return inquiry.runs();
    }

    /** Arrays whose last waiting tasks became jobs of their own: their common row is gone, and nothing ended. */
    Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        if (arrays.isEmpty()) {
            return Answer.ok(Set.of());
        }
        return runner.run(JobQuery.of(site, ids(arrays), nonces.get())).then(rows -> {
            final Set<JobKey> found = new HashSet<>();
            rows.forEach(row -> add(found, row.cell("arrayjobid"), row.localId(), row.submitted()));
            found.retainAll(arrays);
            final Set<JobKey> missing = new HashSet<>(arrays);
            missing.removeAll(found);
            return missing.isEmpty() ? Answer.ok(found) : tasksInAccounting(missing, found);
        });
    }

    private Answer<Set<JobKey>> tasksInAccounting(final Set<JobKey> missing, final Set<JobKey> found) {
        return runner.run(CompletionLogQuery.tasksOf(site, missing)).map(ends -> {
            ends.forEach(end -> add(found, end.job().replaceFirst("_.*", ""), end.job(), end.submitted()));
            found.removeIf(
                    key -> ends.stream().anyMatch(end -> end.key(site.cluster()).equals(key)));
            return found;
        });
    }

    private void add(final Set<JobKey> keys, final String array, final String job, final Instant submitted) {
        if (!array.equals(job)) {
            keys.add(new JobKey(new JobId(site.cluster(), array), submitted));
        }
    }

    private static List<String> ids(final Collection<JobKey> jobs) {
        return jobs.stream().map(key -> key.id().local()).distinct().sorted().toList();
    }
}
