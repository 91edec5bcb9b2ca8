package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How runs ended: from the lines that {@code jobcomp.lua} wrote, and for jobs it knows no end of (it is not installed, or was not yet)
 * from what slurmctld still remembers.
 */
final class EndedRuns {

    private final SlurmSite site;
    private final Runner runner;

    EndedRuns(final SlurmSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    Answer<List<Run>> of(final Collection<JobKey> jobs, final String nonce) {
        if (jobs.isEmpty()) {
            return Answer.ok(List.of());
        }
        return runner.run(EndsQuery.of(site, jobs)).then(noted -> {
            final Set<JobKey> missing = new HashSet<>(jobs);
            final List<Run> runs = new ArrayList<>();
            for (final EndedRun end : noted) {
                runs.add(end.run(site.cluster(), "jobcomp"));
                if (end.endsTheJob()) {
                    missing.remove(end.key(site.cluster()));
                }
            }
            return missing.isEmpty()
                    ? sorted(runs)
                    : remembered(missing, nonce).then(more -> {
                        runs.addAll(more);
                        return sorted(runs);
                    });
        });
    }

    private Answer<List<Run>> remembered(final Set<JobKey> jobs, final String nonce) {
        final List<String> ids = jobs.stream().map(key -> key.id().local()).toList();
        return runner.run(JobQuery.of(site, ids, nonce))
                .map(rows -> rows.stream()
                        .filter(JobStates::isEnded)
                        .filter(row -> jobs.contains(row.key(site.cluster())))
                        .map(row -> EndedRun.of(row).run(site.cluster(), "squeue"))
                        .toList());
    }

    private static Answer<List<Run>> sorted(final List<Run> runs) {
        runs.sort(Comparator.comparing(Run::ended).thenComparingInt(Run::run));
        return Answer.ok(List.copyOf(runs));
    }
}
