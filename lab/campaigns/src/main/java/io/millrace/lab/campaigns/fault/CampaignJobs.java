package io.millrace.lab.campaigns.fault;

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
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Jobs with data that the users of the site submit while the stack is disturbed, one by one and in batches. Each job records its begin in a file that no copy of its
 * directory replaces, and computes the checksum of its input. So it is visible afterwards whether it ran once and returned the right result.
 */
final class CampaignJobs {

    /** Between the jobs of a campaign whose number of jobs is not limited. */
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private static final int INPUT_BYTES = 20_000;
    private static final int LARGEST_BATCH = 20;

    /**
     * One request for jobs with consecutive numbers.
     *
     * @param id of the job, or of the batch if there are several
     * @param folder contains the directories of the jobs
     */
    private record Accepted(int first, int count, String id, Path folder) {}

    private final Site site;
    private final RestQueries queries;
    private final long seed;
    private final Path begins;
    /** In the users' homes; not that of an earlier campaign, which has results of jobs with the same numbers. */
    private final String campaign = "campaign-" + Instant.now().getEpochSecond();

    private final int jobs;
    private final Duration between;
    private final Queue<Accepted> accepted = new ConcurrentLinkedQueue<>();

    private final List<String> users;
    private final List<Thread> submitting;
    private final AtomicInteger submitted = new AtomicInteger();
    private volatile boolean stopping;

    CampaignJobs(final Site site, final RestQueries queries, final long seed) {
        this(site, queries, seed, Integer.MAX_VALUE, BETWEEN);
    }

    /**
     * @param jobs after so many accepted jobs no more are submitted
     * @param between from one job to the next
     */
    CampaignJobs(final Site site, final RestQueries queries, final long seed, final int jobs, final Duration between) {
        this.jobs = jobs;
        this.between = between;
        this.site = site;
        this.queries = queries;
        this.seed = seed;
        this.begins = site.work().resolve("begins");
        this.users = site.accounts().stream()
                .map(Site.Account::role)
                .filter(role -> !role.equals("operator"))
                .toList();
        this.submitting = users.stream()
                .map(user -> new Thread(() -> submitAll(user), user))
                .toList();
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
        final Random random = new Random(seed + users.indexOf(user));
        final long interval = between.toNanos() * users.size();
        long next = System.nanoTime();
        while (!stopping && !isComplete()) {
            final int count = random.nextBoolean() ? 1 : 2 + random.nextInt(LARGEST_BATCH - 1);
            submit(submitted.getAndAdd(count) + 1, count, site.user(user), random);
            next = Math.max(System.nanoTime(), next + count * interval);
            Pause.of(Duration.ofNanos(next - System.nanoTime()));
        }
    }

    private void submit(final int first, final int count, final SiteUser user, final Random random) {
        final Path folder = user.home().resolve(campaign).resolve("from-" + first);
        for (int number = first; number < first + count; number++) {
            user.write(folder.resolve("job-" + number).resolve("input.dat"), input(number));
        }
        final Path script = user.write(folder.resolve("job.sh"), """
            #!/bin/sh
            read -r input of job number <input.dat
            echo begin >>%s/job-$number
            sleep $((1 + number %% 5))
            sha256sum <input.dat | cut -d' ' -f1 >sum.txt
            """.formatted(begins));
        final List<String> words =
                new ArrayList<>(List.of("-n", "" + (1 + random.nextInt(4)), "-t", "5:00", "-J", "job-" + first));
        words.addAll(
                count == 1
                        ? List.of("-D", folder.resolve("job-" + first).toString())
                        : List.of("-D", folder.toString(), "--directories", "job-*"));
        // Other jobs leave their source cluster only while it cannot start them.
        if (random.nextInt(4) == 0) {
            words.addAll(List.of("--target", anyCluster(random)));
        }
        words.add(script.toString());
        final Shell.Answer answer = user.millrace(anyCluster(random), "mgsub", words);
        if (answer.exit() == 0) {
            accepted.add(new Accepted(first, count, answer.out().strip(), folder));
        }
    }

    private String anyCluster(final Random random) {
        return site.clusters().get(random.nextInt(site.clusters().size())).name();
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
        final List<Accepted> waiting = new ArrayList<>(accepted);
        while (System.nanoTime() < until) {
            waiting.removeIf(request -> {
                final Collection<RestQueries.GlobalJob> found = jobsOf(request).values();
                return found.size() == request.count() && found.stream().allMatch(RestQueries.GlobalJob::isOver);
            });
            if (waiting.isEmpty()) {
                return;
            }
            Pause.of(Duration.ofSeconds(2));
        }
    }

    /** By the name of their directory; without those that are not in the read model. */
    private Map<String, RestQueries.GlobalJob> jobsOf(final Accepted request) {
        return request.count() > 1
                ? queries.batch(request.id())
                : queries.findGlobalJob(request.id())
                        .map(job -> Map.of("job-" + request.first(), job))
                        .orElse(Map.of());
    }

    boolean isComplete() {
        return acceptedCount() >= jobs;
    }

    int acceptedCount() {
        return accepted.stream().mapToInt(Accepted::count).sum();
    }

    List<Verdict> verdicts() {
        final List<String> lost = new ArrayList<>();
        final List<String> wrong = new ArrayList<>();
        final Set<Integer> numbers = new HashSet<>();
        for (final Accepted request : accepted) {
            final Map<String, RestQueries.GlobalJob> found = jobsOf(request);
            for (int number = request.first(); number < request.first() + request.count(); number++) {
                numbers.add(number);
                final String name = "job-" + number;
                final RestQueries.GlobalJob job = found.get(name);
                if (job == null) {
                    lost.add(name + " of " + request.id() + ": not found");
                } else if (!job.stage().equals("End")) {
                    lost.add(name + " " + job.number() + ": " + job.state() + " " + job.detail());
                } else if (!result(request.folder().resolve(name)).equals(Texts.sha256(input(number)))) {
                    wrong.add(name + " " + job.number());
                }
            }
        }
        final List<String> notOnce = new ArrayList<>();
        for (int number = 1; number <= submitted.get(); number++) {
            final long times =
                    Texts.readIfThere(begins.resolve("job-" + number)).lines().count();
            if (times > 1 || (times == 0 && numbers.contains(number))) {
                notOnce.add("job-" + number + " began " + times + " times");
            }
        }
        return List.of(
                verdict(
                        "Every accepted job ends",
                        lost,
                        "%d of %d submitted jobs accepted, in %d requests"
                                .formatted(numbers.size(), submitted.get(), accepted.size())),
                verdict("No job runs twice, every accepted one runs", notOnce, numbers.size() + " jobs"),
                verdict("Every result returns with the right checksum", wrong, numbers.size() + " jobs"));
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

    private static String input(final int number) {
        return ("input of job " + number + "\n").repeat(INPUT_BYTES / 20);
    }
}
