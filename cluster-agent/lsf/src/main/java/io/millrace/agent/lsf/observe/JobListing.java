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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Lists jobs. Text that a user controls is never read as a field or as another job. */
public final class JobListing {

    private static final Pattern ID = Pattern.compile("[1-9]\\d*(\\[\\d+])?");

    private final LsfSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<Answer<LsfFeatures>> features;
    private final PendingArrayTasks tasks;

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
    }

    /** All jobs that mbatchd lists. */
    public Answer<List<ListedJob>> all() {
        return jobs(List.of());
    }

    /** All jobs, with one entry for the pending tasks of an array. */
    public Answer<List<ListedJob>> grouped() {
        return all().then(jobs -> {
            final List<ListedJob> together = tasks.grouped(jobs);
            return tasks.hasNewArrays(together)
                    ? limits().map(slotLimits -> tasks.withLimits(together, slotLimits))
                    : Answer.ok(together);
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
        return features.get()
                .then(features -> runner.run(new JobQuery(site, features.unwrappedFormat(), ids))
                        .then(paragraphs -> isCertain(paragraphs)
                                ? Answer.ok(parse(paragraphs))
                                : runner.run(new ColumnQuery(site, features)).map(rows -> parse(paragraphs, rows))));
    }

    private static boolean isCertain(final List<LongFormat.Job> paragraphs) {
        return paragraphs.stream().allMatch(JobListing::isCertain)
                && paragraphs.stream().map(LongFormat.Job::id).distinct().count() == paragraphs.size();
    }

    /**
     * Whether the job can be read in only one way. A submission line with an unexpected end was broken by a line break in a directory name.
     */
    private static boolean isCertain(final LongFormat.Job job) {
        return JobHeading.read(job.heading()).filter(JobHeading::certain).isPresent()
                && job.events().stream()
                        .filter(line -> line.compact().startsWith("Submitted"))
                        .allMatch(line -> line.text().strip().endsWith(";"));
    }

    private List<ListedJob> parse(final List<LongFormat.Job> paragraphs) {
        final Instant now = clock.instant();
        final List<ListedJob> jobs = new ArrayList<>();
        for (final LongFormat.Job paragraph : paragraphs) {
            JobHeading.read(paragraph.heading())
                    .flatMap(heading -> ListedJob.of(paragraph, heading, now))
                    .ifPresent(jobs::add);
        }
        return jobs;
    }

    private List<ListedJob> parse(final List<LongFormat.Job> paragraphs, final Map<String, ColumnQuery.Row> rows) {
        final Instant now = clock.instant();
        final List<ListedJob> jobs = new ArrayList<>();
        for (final LongFormat.Job paragraph : paragraphs) {
            Optional.ofNullable(rows.get(paragraph.id()))
                    .flatMap(row -> JobHeading.read(paragraph.heading(), row))
                    .flatMap(heading -> ListedJob.of(paragraph, heading, now))
                    .filter(job -> jobs.stream().noneMatch(other -> other.id().equals(job.id())))
                    .ifPresent(jobs::add);
        }
        return jobs;
    }

    /** Finds the job with this key; {@code NO_SUCH_JOB} if its id belongs to another job. */
    public Answer<ListedJob> find(final JobKey key) {
        // Some commands read 0 as all jobs and 12[*] as all tasks.
        return ID.matcher(key.id().local()).matches() ? found(key) : notFound(key);
    }

    private Answer<ListedJob> found(final JobKey key) {
        final String id = key.id().local();
        return jobs(List.of(id)).then(found -> {
            for (final ListedJob job : id.endsWith("]") ? found : tasks.grouped(found)) {
                if (job.key(site.cluster()).equals(key)) {
                    return Answer.ok(job);
                }
            }
            return notFound(key);
        });
    }

    private <T> Answer<T> notFound(final JobKey key) {
        return Answer.trouble(
                Answer.Kind.NO_SUCH_JOB,
                "no job " + key.id().local() + " submitted at " + key.submittedAt() + " on " + site.cluster());
    }

    <T> Answer<T> wrongState(final ListedJob job, final String reason) {
        return Answer.trouble(
                Answer.Kind.WRONG_STATE,
                "job " + new JobId(site.cluster(), job.id()) + " " + reason + " (" + job.status() + ")");
    }
}
