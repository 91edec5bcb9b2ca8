package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
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

/** Asks for jobs, and makes sure that no text of a user is taken for a field or for another job. */
final class JobListing {

    private static final Pattern ID = Pattern.compile("[1-9]\\d*(\\[\\d+])?");

    private final LsfSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<Answer<LsfFeatures>> means;
    private final PendingArrayTasks tasks;

    JobListing(
            final LsfSite site,
            final Runner runner,
            final Clock clock,
            final Supplier<Answer<LsfFeatures>> means,
            final PendingArrayTasks tasks) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.means = means;
        this.tasks = tasks;
    }

    /** Everything that mbatchd knows. */
    Answer<List<ListedJob>> all() {
        return jobs(List.of());
    }

    /** The same, with one job for those tasks of an array that wait together. */
    Answer<List<ListedJob>> grouped() {
        return all().then(jobs -> {
            final List<ListedJob> together = tasks.grouped(jobs);
            return tasks.hasNewArrays(together)
                    ? limits().map(atOnce -> tasks.withLimits(together, atOnce))
                    : Answer.ok(together);
        });
    }

    /** A version that cannot tell them leaves them out; no picture fails for that. */
    private Answer<Map<String, Integer>> limits() {
        final Answer<Map<String, Integer>> told = runner.run(new ArrayLimitQuery(site));
        return told instanceof Answer.Trouble<Map<String, Integer>> trouble && trouble.kind() == Answer.Kind.UNREADABLE
                ? Answer.ok(Map.of())
                : told;
    }

    /** What the last picture showed. */
    void published(final List<ListedJob> jobs) {
        tasks.published(jobs);
    }

    /** These jobs, as far as they are known; an array's id stands for all its tasks. */
    Answer<List<ListedJob>> jobs(final List<String> ids) {
        return means.get()
                .then(means -> runner.run(new JobQuery(site, means.unwrappedFormat(), ids))
                        .then(paragraphs -> isCertain(paragraphs)
                                ? Answer.ok(parse(paragraphs))
                                : runner.run(new ColumnQuery(site, means)).map(rows -> parse(paragraphs, rows))));
    }

    private static boolean isCertain(final List<LongFormat.Job> paragraphs) {
        return paragraphs.stream().allMatch(JobListing::isCertain)
                && paragraphs.stream().map(LongFormat.Job::id).distinct().count() == paragraphs.size();
    }

    /** A line about the submission that does not end as LSF ends it was broken by a line break in the name of a folder. */
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

    /** The live job with this key; {@code NO_SUCH_JOB} if another job is there under its id, and not an ended one. */
    Answer<ListedJob> find(final JobKey key) {
        // 0 is every job to some commands, 12[*] every task.
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
                "LSF knows no job " + key.id().local() + " that was submitted at " + key.submittedAt() + " to "
                        + site.cluster());
    }

    <T> Answer<T> wrongState(final ListedJob job, final String because) {
        return Answer.trouble(
                Answer.Kind.WRONG_STATE,
                "job " + new JobId(site.cluster(), job.id()) + " " + because + " (" + job.status() + ")");
    }
}
