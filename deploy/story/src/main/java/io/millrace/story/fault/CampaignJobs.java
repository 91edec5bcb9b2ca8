package io.millrace.story.fault;

import io.millrace.story.Pause;
import io.millrace.story.RestQueries;
import io.millrace.story.Shell;
import io.millrace.story.Site;
import io.millrace.story.SiteUser;
import io.millrace.story.Texts;
import io.millrace.story.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Jobs with data that two users submit while the stack is disturbed. Each job records its begin in a file that no copy of its directory
 * replaces, and computes the checksum of its input. So it is visible afterwards whether it ran once and returned the right result.
 */
final class CampaignJobs {

    /** Between the submissions of a campaign whose number of jobs is not limited. */
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private static final int INPUT_BYTES = 20_000;
    private static final List<String> USERS = List.of("alice", "bob");

    private record Accepted(String id, Path directory) {}

    private final Site site;
    private final RestQueries queries;
    private final long seed;
    private final Path begins;
    /** In the users' homes; not that of an earlier campaign, which has results of jobs with the same numbers. */
    private final String folder = "campaign-" + Instant.now().getEpochSecond();

    private final int jobs;
    private final Duration between;
    private final Map<Integer, Accepted> accepted = new ConcurrentSkipListMap<>();

    private final List<Thread> submitting =
            USERS.stream().map(user -> new Thread(() -> submitAll(user), user)).toList();
    private final AtomicInteger submitted = new AtomicInteger();
    private volatile boolean stopping;

    CampaignJobs(final Site site, final RestQueries queries, final long seed) {
        this(site, queries, seed, Integer.MAX_VALUE, BETWEEN);
    }

    /**
     * @param jobs after so many accepted jobs no more are submitted
     * @param between from the begin of a submission to the next
     */
    CampaignJobs(final Site site, final RestQueries queries, final long seed, final int jobs, final Duration between) {
        this.jobs = jobs;
        this.between = between;
        this.site = site;
        this.queries = queries;
        this.seed = seed;
        this.begins = site.work().resolve("begins");
        submitting.forEach(thread -> thread.setDaemon(true));
    }

    void begin() {
        Texts.write(begins.resolve("README"), "One file for each job, one line for each begin of the job.\n");
        // Jobs run as their owners.
        try {
            Files.setPosixFilePermissions(begins, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open '" + begins + "' to the users", e);
        }
        submitting.forEach(Thread::start);
    }

    private void submitAll(final String user) {
        final long interval = between.toNanos() * USERS.size();
        long next = System.nanoTime();
        while (!stopping && !isComplete()) {
            submit(submitted.incrementAndGet(), user);
            next = Math.max(System.nanoTime(), next + interval);
            Pause.of(Duration.ofNanos(next - System.nanoTime()));
        }
    }

    private void submit(final int number, final String name) {
        final SiteUser user = site.user(name);
        final Random random = new Random(seed + number);
        final Path directory = directory(user, number);
        user.write(directory.resolve("input.dat"), input(number));
        user.write(
                directory.resolve("job.sh"),
                "#!/bin/sh\necho begin >>" + begins.resolve("job-" + number) + "\nsleep " + (1 + random.nextInt(5))
                        + "\nsha256sum <input.dat | cut -d' ' -f1 >sum.txt\n");
        final String cluster =
                site.clusters().get(random.nextInt(site.clusters().size())).name();
        final Shell.Answer answer = user.millrace(
                cluster,
                "mgsub",
                List.of(
                        "-n",
                        "" + (1 + random.nextInt(4)),
                        "-t",
                        "5:00",
                        "-J",
                        "job-" + number,
                        "-d",
                        directory.toString(),
                        directory + "/job.sh"));
        if (answer.exit() == 0) {
            accepted.put(number, new Accepted(answer.out().strip(), directory));
        }
    }

    /** Stops submitting, and waits until every accepted job is over or the time has passed. */
    void awaitEnds(final Duration limit) {
        stopping = true;
        final long until = System.nanoTime() + limit.toNanos();
        try {
            for (final Thread user : submitting) {
                user.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        while (System.nanoTime() < until
                && !accepted.values().stream()
                        .allMatch(job -> queries.globalJob(job.id()).isOver())) {
            Pause.of(Duration.ofSeconds(2));
        }
    }

    boolean isComplete() {
        return accepted.size() >= jobs;
    }

    int acceptedCount() {
        return accepted.size();
    }

    List<Verdict> verdicts() {
        final List<String> lost = new ArrayList<>();
        final List<String> wrong = new ArrayList<>();
        accepted.forEach((number, jobAndDirectory) -> {
            final String id = jobAndDirectory.id();
            final RestQueries.GlobalJob job = queries.globalJob(id);
            if (!job.state().equals("End")) {
                lost.add("job-" + number + " " + id + ": " + job.state() + " " + job.detail());
            } else if (!result(jobAndDirectory.directory()).equals(Texts.sha256(input(number)))) {
                wrong.add("job-" + number + " " + id);
            }
        });
        final List<String> notOnce = new ArrayList<>();
        for (int number = 1; number <= submitted.get(); number++) {
            final long times =
                    Texts.readIfThere(begins.resolve("job-" + number)).lines().count();
            if (times > 1 || (times == 0 && accepted.containsKey(number))) {
                notOnce.add("job-" + number + " began " + times + " times");
            }
        }
        return List.of(
                verdict(
                        "Every accepted job ends",
                        lost,
                        accepted.size() + " of " + submitted.get() + " submissions accepted"),
                verdict("No job runs twice, every accepted one runs", notOnce, accepted.size() + " jobs"),
                verdict("Every result returns with the right checksum", wrong, accepted.size() + " jobs"));
    }

    private static Verdict verdict(final String promise, final List<String> violations, final String figures) {
        return new Verdict(
                promise,
                violations.isEmpty(),
                figures + ", " + violations.size() + " violations" + (violations.isEmpty() ? "" : ": " + violations));
    }

    private static String result(final Path directory) {
        return Texts.readIfThere(directory.resolve("sum.txt")).strip();
    }

    private Path directory(final SiteUser user, final int number) {
        return user.home().resolve(folder).resolve("job-" + number);
    }

    private static String input(final int number) {
        return ("input of job " + number + "\n").repeat(INPUT_BYTES / 20);
    }
}
