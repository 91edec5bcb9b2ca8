package io.millrace.agent.lsf.observe;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.query.ArrayLimitQuery;
import io.millrace.agent.lsf.query.ColumnQuery;
import io.millrace.agent.lsf.query.JobHeading;
import io.millrace.agent.lsf.query.JobQuery;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists jobs. Text that a user controls is never read as a field or as another job, and makes no job disappear: a job whose long format can
 * be read in several ways is queried again in columns, and alone if another job imitates it.
 */
public final class JobListing {

    private static final Pattern ID = Pattern.compile("[1-9]\\d*(\\[\\d+])?");

    /** Ambiguous jobs queried with one command line. */
    private static final int BATCH_SIZE = 500;

    /** Jobs queried alone for one listing; only a line break in a directory name makes this necessary. */
    private static final int MAX_ALONE = 50;

    private final LsfSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<Answer<LsfFeatures>> features;
    private final PendingArrayTasks tasks;
    private final Dependencies dependencies;

    /** @param unreadable the ids of listed jobs that could not be read */
    public record Listing(List<ListedJob> jobs, Set<String> unreadable) {

        public Listing {
            jobs = List.copyOf(jobs);
            unreadable = Set.copyOf(unreadable);
        }
    }

    public JobListing(
            final LsfSite site,
            final Runner runner,
            final Clock clock,
            final Supplier<Answer<LsfFeatures>> features,
            final PendingArrayTasks tasks) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.features = features;
        this.tasks = tasks;
        this.dependencies = new Dependencies(site, runner, clock);
    }

    /** All jobs that mbatchd lists. */
    public Answer<List<ListedJob>> all() {
        return jobs(List.of());
    }

    /** All jobs, with one entry for the pending tasks of an array. */
    public Answer<Listing> grouped() {
        return list(List.of()).then(listing -> {
            dependencies.keepOnly(listing.jobs());
            final List<ListedJob> together = tasks.grouped(listing.jobs());
            return tasks.hasNewArrays(together)
                    ? limits().map(slotLimits ->
                            new Listing(tasks.withLimits(together, slotLimits), listing.unreadable()))
                    : Answer.ok(new Listing(together, listing.unreadable()));
        });
    }

    /** Slot limits of arrays; empty if this version does not report them. */
    private Answer<Map<String, Integer>> limits() {
        final Answer<Map<String, Integer>> limits = runner.run(new ArrayLimitQuery(site));
        return limits instanceof Answer.Trouble<Map<String, Integer>> trouble
                        && trouble.kind() == Answer.Kind.UNREADABLE
                ? Answer.ok(Map.of())
                : limits;
    }

    /** Records the jobs of the last snapshot. */
    public void published(final List<ListedJob> jobs) {
        tasks.published(jobs);
    }

    /** The jobs with these ids, as far as they are known. An array id means all its tasks. */
    public Answer<List<ListedJob>> jobs(final List<String> ids) {
        return list(ids).map(Listing::jobs);
    }

    private Answer<Listing> list(final List<String> ids) {
        return features.get()
                .then(detected -> query(ids, detected).then(listing -> resolved(listing, ids.isEmpty(), detected)));
    }

    private Answer<Listing> query(final List<String> ids, final LsfFeatures detected) {
        return runner.run(new JobQuery(site, detected.unwrappedFormat(), ids))
                .then(paragraphs -> read(paragraphs, detected));
    }

    /** The dependency of a job concerns other jobs, so all jobs are listed for it. */
    private Answer<Listing> resolved(final Listing listing, final boolean all, final LsfFeatures detected) {
        if (listing.jobs().stream().noneMatch(Dependencies::mayBlock)) {
            return Answer.ok(listing);
        }
        final Answer<Listing> others = all ? Answer.ok(listing) : query(List.of(), detected);
        return others.map(listed -> new Listing(
                dependencies.resolve(
                        listing.jobs(), listed.jobs(), detected.version().isLsf()),
                listing.unreadable()));
    }

    private Answer<Listing> read(final List<LongFormat.Job> paragraphs, final LsfFeatures detected) {
        final Map<String, Long> count = paragraphs.stream()
                .collect(Collectors.groupingBy(LongFormat.Job::id, LinkedHashMap::new, Collectors.counting()));
        // A line break in a directory name can create any text, such as another job.
        final boolean broken = !paragraphs.stream().allMatch(JobListing::isWhole);
        final Set<String> ambiguous = new LinkedHashSet<>();
        paragraphs.stream()
                .filter(paragraph -> broken || count.getOrDefault(paragraph.id(), 0L) > 1 || !isCertain(paragraph))
                .forEach(paragraph -> ambiguous.add(paragraph.id()));
        return rows(List.copyOf(ambiguous), detected).then(rows -> {
            final Set<String> imitated = count.entrySet().stream()
                    .filter(entry -> entry.getValue() > 1 && rows.containsKey(entry.getKey()))
                    .map(Map.Entry::getKey)
                    .limit(MAX_ALONE)
                    .collect(Collectors.toSet());
            return alone(imitated, detected)
                    .map(trueText -> listing(paragraphs, ambiguous, count, rows, trueText, detected.memoryPerSlot()));
        });
    }

    private Listing listing(
            final List<LongFormat.Job> paragraphs,
            final Set<String> ambiguous,
            final Map<String, Long> count,
            final Map<String, ColumnQuery.Row> rows,
            final Map<String, LongFormat.Job> trueText,
            final boolean memoryPerSlot) {
        final Instant now = clock.instant();
        final Map<String, ListedJob> jobs = new LinkedHashMap<>();
        final Set<String> unreadable = new TreeSet<>();
        for (final LongFormat.Job paragraph : paragraphs) {
            final String id = paragraph.id();
            final ColumnQuery.@Nullable Row row = rows.get(id);
            if (ambiguous.contains(id) && row == null) {
                continue; // written by a user, or purged meanwhile
            }
            final LongFormat.@Nullable Job text = count.getOrDefault(id, 0L) == 1 ? paragraph : trueText.get(id);
            Optional.ofNullable(text)
                    .flatMap(known -> job(known, row, now, memoryPerSlot))
                    .ifPresentOrElse(found -> jobs.put(id, found), () -> unreadable.add(id));
        }
        return new Listing(List.copyOf(jobs.values()), unreadable);
    }

    private static Optional<ListedJob> job(
            final LongFormat.Job text,
            final ColumnQuery.@Nullable Row row,
            final Instant now,
            final boolean memoryPerSlot) {
        return (row == null ? JobHeading.read(text.heading()) : JobHeading.read(text.heading(), row))
                .flatMap(heading -> ListedJob.of(text, heading, now, memoryPerSlot));
    }

    private Answer<Map<String, ColumnQuery.Row>> rows(final List<String> ids, final LsfFeatures detected) {
        Answer<Map<String, ColumnQuery.Row>> all = Answer.ok(new HashMap<>());
        for (int from = 0; from < ids.size(); from += BATCH_SIZE) {
            final List<String> some = ids.subList(from, Math.min(ids.size(), from + BATCH_SIZE));
            all = all.then(
                    known -> runner.run(new ColumnQuery(site, detected, some)).map(rows -> {
                        known.putAll(rows);
                        return known;
                    }));
        }
        return all;
    }

    /** The text of each job, queried alone: it comes first, before anything that the job itself prints. */
    private Answer<Map<String, LongFormat.Job>> alone(final Set<String> ids, final LsfFeatures detected) {
        Answer<Map<String, LongFormat.Job>> all = Answer.ok(new HashMap<>());
        for (final String id : ids) {
            all = all.then(known -> runner.run(new JobQuery(site, detected.unwrappedFormat(), List.of(id)))
                    .map(paragraphs -> {
                        paragraphs.stream().findFirst().ifPresent(first -> known.put(id, first));
                        return known;
                    }));
        }
        return all;
    }

    private static boolean isCertain(final LongFormat.Job job) {
        return JobHeading.read(job.heading()).filter(JobHeading::certain).isPresent();
    }

    /** Whether the submission line has its end. */
    private static boolean isWhole(final LongFormat.Job job) {
        return job.events().stream()
                .filter(line -> line.compact().startsWith("Submitted"))
                .allMatch(line -> line.text().strip().endsWith(";"));
    }

    /** Finds the job with this key; {@code NO_SUCH_JOB} if its id belongs to another job. */
    public Answer<ListedJob> find(final JobKey key) {
        // Some commands read 0 as all jobs and 12[*] as all tasks.
        return ID.matcher(key.id().local()).matches() ? found(key) : notFound(key);
    }

    private Answer<ListedJob> found(final JobKey key) {
        final String id = key.id().local();
        return list(List.of(id)).then(found -> {
            for (final ListedJob job : id.endsWith("]") ? found.jobs() : tasks.grouped(found.jobs())) {
                if (job.key(site.cluster()).equals(key)) {
                    return Answer.ok(job);
                }
            }
            return found.unreadable().isEmpty()
                    ? notFound(key)
                    : Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of bjobs for job " + id);
        });
    }

    private <T> Answer<T> notFound(final JobKey key) {
        return Answer.trouble(
                Answer.Kind.NO_SUCH_JOB,
                "no job " + key.id().local() + " submitted at " + key.submittedAt() + " on " + site.cluster());
    }

    <T> Answer<T> wrongState(final ListedJob job, final String reason) {
        return trouble(Answer.Kind.WRONG_STATE, job, reason);
    }

    <T> Answer<T> trouble(final Answer.Kind kind, final ListedJob job, final String reason) {
        return Answer.trouble(
                kind, "job " + new JobId(site.cluster(), job.id()) + " " + reason + " (" + job.status() + ")");
    }
}
