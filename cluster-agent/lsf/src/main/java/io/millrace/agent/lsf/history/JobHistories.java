package io.millrace.agent.lsf.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.observe.JobNotes;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ended runs of jobs: from {@code bhist}, which also reports who requested the end. Jobs that are not in the current event log are
 * looked up in its older files, and in {@code lsb.acct} if the agent can read it.
 */
public final class JobHistories {

    private static final Pattern QUEUE = Pattern.compile("[tT]oQueue<([^<>]+)>");
    private static final int BATCH_SIZE = 2000;
    /** Enough for the runs that ended since the last poll. */
    private static final long TAIL_BYTES = 128 * 1024;

    private final LsfSite site;
    private final Runner runner;
    private final Clock clock;
    private final ClusterTopology topology;
    private final ContinuedJobs continuations;
    private final JobNotes notes;

    public JobHistories(
            final LsfSite site,
            final Runner runner,
            final Clock clock,
            final ClusterTopology topology,
            final ContinuedJobs continuations,
            final JobNotes notes) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.topology = topology;
        this.continuations = continuations;
        this.notes = notes;
    }

    public Answer<List<Run>> of(final Collection<JobKey> jobs) {
        if (jobs.isEmpty()) {
            return Answer.ok(List.of());
        }
        return histories(jobs, false)
                .then(recent -> {
                    final Set<JobKey> unknown = new HashSet<>(jobs);
                    unknown.removeAll(recent.keySet());
                    return unknown.isEmpty()
                            ? Answer.ok(runs(recent))
                            : older(unknown).map(more -> {
                                final List<Run> all = new ArrayList<>(runs(recent));
                                all.addAll(more);
                                return finished(all);
                            });
                })
                .map(this::withMemory);
    }

    /** OpenLava reports the memory of a run only in {@code lsb.acct}. */
    private List<Run> withMemory(final List<Run> runs) {
        if (site.logDir() == null || runs.stream().noneMatch(JobHistories::lacksMemory)) {
            return runs;
        }
        return runner.run(new AccountingTail(site, site.logDir().resolve("lsb.acct"), TAIL_BYTES))
                        instanceof Answer.Ok<AccountingTail.Lines> tail
                ? runs.stream()
                        .map(run ->
                                lacksMemory(run) ? withMemory(run, tail.value().records()) : run)
                        .toList()
                : runs;
    }

    private static boolean lacksMemory(final Run run) {
        return run.started() != null && run.used().peakMemoryBytes() == null;
    }

    private Run withMemory(final Run run, final List<AccountingRecord> records) {
        return records.stream()
                .filter(record -> run.started() != null
                        && run.started().equals(record.started())
                        && run.job().equals(record.key(site.cluster())))
                .findFirst()
                .map(record -> run.with(
                        new ResourceUsage(run.used().cpuTime(), record.used().peakMemoryBytes(), null)))
                .orElse(run);
    }

    private Answer<List<Run>> older(final Set<JobKey> jobs) {
        return fromAccounting(jobs).then(accounted -> {
            final Set<JobKey> unknown = new HashSet<>(jobs);
            accounted.forEach(run -> unknown.remove(run.job()));
            return unknown.isEmpty()
                    ? Answer.ok(accounted)
                    : histories(unknown, true).map(pasts -> {
                        final List<Run> all = new ArrayList<>(accounted);
                        all.addAll(runs(pasts));
                        return all;
                    });
        });
    }

    /** The histories of these jobs in {@code bhist}. */
    public Answer<Map<JobKey, RunHistory>> histories(final Collection<JobKey> jobs, final boolean allFiles) {
        final List<String> ids =
                jobs.stream().map(job -> job.id().local()).distinct().toList();
        Answer<Map<JobKey, RunHistory>> all = Answer.ok(new HashMap<>());
        for (int from = 0; from < ids.size(); from += BATCH_SIZE) {
            final List<String> some = ids.subList(from, Math.min(ids.size(), from + BATCH_SIZE));
            all = all.then(
                    found -> runner.run(new HistoryQuery(site, some, allFiles)).map(paragraphs -> {
                        collect(paragraphs, found);
                        return found;
                    }));
        }
        return all.map(found -> {
            found.keySet().retainAll(new HashSet<>(jobs));
            return found;
        });
    }

    /** The histories of all unfinished jobs in {@code bhist}. */
    public Answer<Map<JobKey, RunHistory>> unfinished() {
        return runner.run(new HistoryQuery(site, List.of(), false)).map(paragraphs -> {
            final Map<JobKey, RunHistory> found = new HashMap<>();
            collect(paragraphs, found);
            return found;
        });
    }

    private void collect(final List<LongFormat.Job> paragraphs, final Map<JobKey, RunHistory> into) {
        for (final LongFormat.Job paragraph : paragraphs) {
            final Optional<RunHistory> past = RunHistory.read(paragraph, queue(paragraph), clock.instant());
            past.ifPresent(found ->
                    into.put(new JobKey(new JobId(site.cluster(), found.id()), found.submitted()), found));
        }
    }

    /** The queue it was in last. */
    private @Nullable LsfQueue queue(final LongFormat.Job job) {
        LsfQueue queue = null;
        for (final LongFormat.Event line : job.events()) {
            final Matcher found = QUEUE.matcher(line.compact());
            if (found.find()) {
                queue = topology.lastSeen(found.group(1));
            }
        }
        return queue;
    }

    private List<Run> runs(final Map<JobKey, RunHistory> pasts) {
        final List<Run> runs = new ArrayList<>();
        pasts.forEach((job, past) -> {
            int number = 1;
            for (final RunHistory.EndedRun part : past.ended()) {
                runs.add(new Run(job, number++, part.started(), part.ended(), part.outcome(), "bhist", part.used()));
            }
        });
        return finished(runs);
    }

    private Answer<List<Run>> fromAccounting(final Set<JobKey> jobs) {
        if (site.logDir() == null) {
            return Answer.ok(List.of());
        }
        final List<String> ids = jobs.stream().map(job -> job.id().local()).toList();
        return runner.run(AccountingQuery.of(site, site.logDir(), ids)).map(lines -> {
            final Map<JobKey, Integer> count = new HashMap<>();
            final Map<JobKey, Run> last = new HashMap<>();
            final List<Run> runs = new ArrayList<>();
            for (final AccountingRecord line : lines) {
                final JobKey key = line.key(site.cluster());
                if (jobs.contains(key)) {
                    final Run run = new Run(
                            key,
                            count.merge(key, 1, Integer::sum),
                            line.started(),
                            line.ended(),
                            line.outcome(),
                            "lsb.acct",
                            line.used());
                    runs.add(run);
                    last.put(key, run);
                }
            }
            // Every run has a record: all but the last one were requeued.
            return runs.stream()
                    .map(run -> last.get(run.job()) == run ? run : run.with(new RunOutcome.Requeued()))
                    .toList();
        });
    }

    /**
     * Runs oldest first. The end of a job that continues under another id is a {@code Continued}; the end of a job that is being
     * checkpointed is left out.
     */
    List<Run> finished(final List<Run> runs) {
        return runs.stream()
                .filter(run -> !run.outcome().endsTheJob()
                        || notes.of(run.job())
                                .filter(note -> note.isCheckpointing(clock.instant()))
                                .isEmpty())
                .map(run -> run.outcome().endsTheJob()
                        ? continuations.of(run.job()).map(run::with).orElse(run)
                        : run)
                .sorted(Comparator.comparing(Run::ended).thenComparingInt(Run::run))
                .toList();
    }
}
