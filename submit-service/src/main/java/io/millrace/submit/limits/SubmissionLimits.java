package io.millrace.submit.limits;

import io.millrace.model.UserName;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.config.LimitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.submission.SubmissionSize;
import io.millrace.submit.store.job.GlobalJobs;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Limits of what one user, and all users together, may have on the log and in the queue. */
@ApplicationScoped
public class SubmissionLimits {

    private static final long MIB = 1024 * 1024;
    /** Of the submissions of one request together. */
    private static final long LARGEST = 64 * MIB;

    /** What every submission has: ids, times, the signature. */
    private static final long RECORD = 2 * 1024;

    private static final Duration HOUR = Duration.ofHours(1);
    /** A count of this age is good enough; what this instance has accepted since is added. */
    private static final Duration OLDEST_COUNT = Duration.ofSeconds(10);

    private static final Duration RETRY = Duration.ofMinutes(1);
    private static final String ALL = "";
    private static final int MANY = 10_000;

    private final ToLongFunction<@Nullable UserName> unfinished;
    private final LimitSettings limits;
    private final Rates<UserName> bytesOfUser;
    private final Rates<String> bytesOfAll;
    private final ConcurrentMap<String, Count> counts = new ConcurrentHashMap<>();

    @Inject
    SubmissionLimits(final GlobalJobs jobs, final LimitSettings limits) {
        this(owner -> QuarkusTransaction.requiringNew().call(() -> jobs.unfinished(owner)), limits);
    }

    /** @param unfinished the number of unfinished jobs of a user; null: of all users */
    SubmissionLimits(final ToLongFunction<@Nullable UserName> unfinished, final LimitSettings limits) {
        this.unfinished = unfinished;
        this.limits = limits;
        this.bytesOfUser = perHour(limits.userMibPerHour());
        this.bytesOfAll = perHour(limits.mibPerHour());
    }

    private static <K> Rates<K> perHour(final int mib) {
        return new Rates<>(mib * MIB, HOUR, mib * MIB, System::nanoTime);
    }

    private record Count(long jobs, long readAt_ns) {
        private boolean isOld() {
            return System.nanoTime() - readAt_ns > OLDEST_COUNT.toNanos();
        }
    }

    /**
     * Called before jobs are published. A refused request does not count as jobs: otherwise one user's refused requests would use up the limit of
     * all.
     *
     * @param job the first of them; the others have the same texts
     * @param number of jobs
     * @throws RequestRefused if a limit would be exceeded; names it with its figure and the remedy
     */
    public void use(final JobSubmitted job, final int number) {
        final UserName user = job.owner();
        final long bytes = size(job) * number;
        if (number > 1 && bytes > LARGEST) {
            throw RequestRefused.invalid(
                    "array",
                    "makes a request too large: its " + number + " jobs have " + bytes
                            + " bytes on the log; the maximum is " + LARGEST
                            + ". Send fewer jobs, dependencies, filters or variables");
        }
        requireJobs(
                user.value(),
                number,
                limits.userJobs(),
                "user '" + user + "' has",
                "user-jobs",
                () -> unfinished.applyAsLong(user));
        requireJobs(ALL, number, limits.jobs(), "all users together have", "jobs", () -> unfinished.applyAsLong(null));
        requireBytes(
                bytesOfUser.use(user, bytes),
                bytes,
                "user '" + user + "'",
                limits.userMibPerHour(),
                "user-mib-per-hour");
        requireBytes(bytesOfAll.use(ALL, bytes), bytes, "all users together", limits.mibPerHour(), "mib-per-hour");
        add(user.value(), number);
        add(ALL, number);
    }

    /** About the size of its record. */
    private static long size(final JobSubmitted job) {
        return RECORD
                + SubmissionSize.of(job.spec())
                + String.valueOf(job.dependency()).length()
                + String.valueOf(job.files()).length()
                + String.valueOf(job.request()).length();
    }

    private void requireJobs(
            final String key,
            final int number,
            final int limit,
            final String whose,
            final String setting,
            final LongSupplier read) {
        final Count count = recent(counts.get(key), read);
        counts.put(key, count);
        if (count.jobs() + number > limit) {
            throw RequestRefused.tooMany(
                    whose + " " + count.jobs() + " unfinished jobs; with " + number + " more they exceed the limit of "
                            + limit + " (millrace.submit.limits." + setting
                            + "); wait until jobs have ended, or stop some",
                    RETRY);
        }
        if (counts.size() > MANY) {
            counts.values().removeIf(Count::isOld);
        }
    }

    private void add(final String key, final int number) {
        counts.computeIfPresent(key, (same, known) -> new Count(known.jobs() + number, known.readAt_ns()));
    }

    private static Count recent(final @Nullable Count known, final LongSupplier read) {
        return known == null || known.isOld() ? new Count(read.getAsLong(), System.nanoTime()) : known;
    }

    private static void requireBytes(
            final Duration wait, final long bytes, final String whose, final int limit, final String setting) {
        if (!wait.isZero()) {
            throw RequestRefused.tooMany(
                    "the request has " + bytes + " bytes in all its jobs; with it, "
                            + whose + " would exceed the limit of " + limit + " MiB per hour (millrace.submit.limits."
                            + setting
                            + "); move large parts into files in the job's directory, or retry later",
                    wait);
        }
    }
}
