package io.millrace.agent.lsf.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ended jobs that mbatchd has purged (CLEAN_PERIOD), read from the end of {@code lsb.acct}. Each finished run has a record there with all
 * details; the record in {@code lsb.events} has only the job id.
 */
public final class PurgedJobs {

    /** Records can be out of order by this time. */
    private static final Duration REORDERING = Duration.ofMinutes(10);

    private static final long FIRST_BYTES = 64 * 1024;
    private static final long MOST_BYTES = 128 * 1024 * 1024;

    private final LsfSite site;
    private final Runner runner;
    private final ClusterTopology topology;
    private final JobHistories histories;
    private final Supplier<Answer<LsfFeatures>> features;

    public PurgedJobs(
            final LsfSite site,
            final Runner runner,
            final ClusterTopology topology,
            final JobHistories histories,
            final Supplier<Answer<LsfFeatures>> features) {
        this.site = site;
        this.runner = runner;
        this.topology = topology;
        this.histories = histories;
        this.features = features;
    }

    /** Records back to that time; none if the agent does not know the file. */
    Answer<List<AccountingRecord>> records(final Instant since) {
        final Path logs = site.logDir();
        if (logs == null) {
            return Answer.ok(List.of());
        }
        return tail(logs.resolve("lsb.acct"), since).then(current -> {
            final boolean reachesBack = !current.wholeFile()
                    || current.records().stream().anyMatch(line -> line.ended().isBefore(since));
            return reachesBack
                    ? Answer.ok(current.records())
                    : tail(logs.resolve("lsb.acct.1"), since)
                            .map(rotated -> Stream.concat(rotated.records().stream(), current.records().stream())
                                    .toList());
        });
    }

    private Answer<AccountingTail.Lines> tail(final Path file, final Instant since) {
        final Instant before = since.minus(REORDERING);
        Answer<AccountingTail.Lines> answer = runner.run(new AccountingTail(site, file, FIRST_BYTES));
        for (long bytes = FIRST_BYTES * 8; bytes <= MOST_BYTES && isTooShort(answer, before); bytes *= 8) {
            answer = runner.run(new AccountingTail(site, file, bytes));
        }
        return answer;
    }

    private static boolean isTooShort(final Answer<AccountingTail.Lines> answer, final Instant before) {
        return answer instanceof Answer.Ok<AccountingTail.Lines> ok
                && !ok.value().wholeFile()
                && ok.value().records().stream().noneMatch(line -> line.ended().isBefore(before));
    }

    /** @param listed all jobs that mbatchd still lists; its own report is more exact */
    Answer<List<EndedJob>> ends(final List<AccountingRecord> lines, final Set<JobKey> listed, final Instant since) {
        return features.get().map(known -> ends(lines, listed, since, known.memoryPerSlot()));
    }

    private List<EndedJob> ends(
            final List<AccountingRecord> lines,
            final Set<JobKey> listed,
            final Instant since,
            final boolean memoryPerSlot) {
        final Map<JobKey, List<AccountingRecord>> byJob = new LinkedHashMap<>();
        for (final AccountingRecord line : new LinkedHashSet<>(lines)) {
            byJob.computeIfAbsent(line.key(site.cluster()), key -> new ArrayList<>())
                    .add(line);
        }
        byJob.keySet().removeAll(listed);
        return byJob.entrySet().stream()
                .filter(job -> !job.getValue().getLast().ended().isBefore(since))
                .map(job -> ended(job.getKey(), job.getValue(), memoryPerSlot))
                .filter(job ->
                        !job.runs().isEmpty() && job.runs().getLast().outcome().endsTheKey())
                .toList();
    }

    /** Versions that do not record the run limit of the job: the limit of its queue is used. */
    private EndedJob ended(final JobKey key, final List<AccountingRecord> lines, final boolean memoryPerSlot) {
        final AccountingRecord last = lines.getLast();
        final LsfQueue queue = topology.lastSeen(last.queue());
        final List<Run> runs = new ArrayList<>();
        for (final AccountingRecord line : lines) {
            runs.add(new Run(
                    key,
                    runs.size() + 1,
                    line.started(),
                    line.ended(),
                    line == last ? line.outcome() : new RunOutcome.Requeued(),
                    "lsb.acct",
                    line.used()));
        }
        return job(key, last, memoryPerSlot, queue == null ? null : queue.runLimit(), histories.finished(runs));
    }

    /**
     * @param memoryPerSlot whether the cluster reserves memory for each slot, and not for each host
     * @param queueLimit run limit of its queue; null if it has none or is not known
     */
    static EndedJob job(
            final JobKey key,
            final AccountingRecord last,
            final boolean memoryPerSlot,
            final @Nullable Duration queueLimit,
            final List<Run> runs) {
        return new EndedJob(
                key,
                last.name(),
                last.attempt(),
                NameMapping.user(last.user()),
                NameMapping.project(last.project()),
                NameMapping.partition(last.queue()),
                last.request().resources(memoryPerSlot),
                last.runLimit() == null ? queueLimit : last.runLimit(),
                runs);
    }
}
