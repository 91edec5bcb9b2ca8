package io.millrace.agent.slurm.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.JobKey;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** How runs ended, with what they used. */
public final class EndedRuns implements Accounting {

    private final RunLookup runs;
    private final RecentlyEndedJobs jobs;
    private final UsageLookup usage;

    public EndedRuns(final SlurmSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        this.runs = new RunLookup(site, runner, nonces);
        this.jobs = new RecentlyEndedJobs(site, runner, nonces);
        this.usage = new UsageLookup(site, runner, clock);
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> keys) {
        return runs.of(keys).map(usage::complete);
    }

    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return runs.dissolved(arrays);
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return jobs.since(since).map(usage::completeJobs);
    }
}
