package io.millrace.agent.slurm.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.JobQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds out how runs ended, from three sources in order of accuracy: the completion log of {@code jobcomp.lua}, the ended jobs that
 * slurmctld keeps, and {@code sacct}, which lags behind and reduces exit codes of 128 and above by 128. Each source is queried only for
 * jobs that the previous ones did not resolve. If a source is unavailable, its jobs stay unresolved and the others are unaffected.
 */
public final class RunLookup {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;

    public RunLookup(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
    }

    public Answer<List<Run>> of(final Collection<JobKey> jobs) {
        if (jobs.isEmpty()) {
            return Answer.ok(List.of());
        }
        final RunReconciliation reconciliation = new RunReconciliation(site.cluster(), jobs);
        reconciliation.read(
                runner.run(CompletionLogQuery.of(site, jobs)), logged -> reconciliation.addRuns(logged, "jobcomp"));
        final Set<JobKey> open = reconciliation.withoutFinalRun();
        if (!open.isEmpty()) {
            reconciliation.read(
                    runner.run(JobQuery.of(site, ids(open), nonces.get())),
                    rows -> reconciliation.addQueueRows(open, rows));
        }
        final Set<JobKey> incomplete = reconciliation.incomplete();
        if (!incomplete.isEmpty()) {
            reconciliation.read(
                    runner.run(SacctQuery.of(site, ids(incomplete), nonces.get())),
                    rows -> reconciliation.addRuns(SacctRuns.of(rows), "sacct"));
        }
        return reconciliation.runs();
    }

    /** Arrays without a common row, because their last pending tasks became separate jobs. Such an array has not ended. */
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
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
