package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cores that are free from now on: in the cluster, and in each partition with a limit. */
final class Availability {

    private final AvailabilityProfile cluster;
    private final Map<PartitionName, AvailabilityProfile> partitions = new HashMap<>();

    /** @param view whose running jobs are not taken yet: their cores count as free */
    Availability(final QueueView view) {
        cluster = new AvailabilityProfile(view.idleCores()
                + view.running().stream().mapToInt(RunningJob::cores).sum());
        view.partitions()
                .values()
                .forEach(limit -> partitions.put(limit.partition(), new AvailabilityProfile(limit.cores())));
        view.windows().forEach(window -> {
            if (window.partition() == null) {
                cluster.take(window.from_s(), window.until_s(), window.cores());
            } else {
                final AvailabilityProfile limited = partitions.get(window.partition());
                if (limited != null) {
                    limited.take(window.from_s(), window.until_s(), window.cores());
                }
                cluster.take(window.from_s(), window.until_s(), window.cores());
            }
        });
    }

    AvailabilityProfile cluster() {
        return cluster;
    }

    private @Nullable AvailabilityProfile limited(final QueuedJob job) {
        return partitions.isEmpty() ? null : partitions.get(job.partition());
    }

    void take(final QueuedJob job, final long from_s, final long until_s) {
        cluster.take(from_s, until_s, job.cores());
        final AvailabilityProfile limited = limited(job);
        if (limited != null) {
            limited.take(from_s, until_s, job.cores());
        }
    }

    void giveBack(final QueuedJob job, final long from_s, final long until_s) {
        cluster.take(from_s, until_s, -job.cores());
        final AvailabilityProfile limited = limited(job);
        if (limited != null) {
            limited.take(from_s, until_s, -job.cores());
        }
    }

    boolean fits(final QueuedJob job, final long from_s, final long length_s) {
        final AvailabilityProfile limited = limited(job);
        return cluster.fits(from_s, length_s, job.cores())
                && (limited == null || limited.fits(from_s, length_s, job.cores()));
    }

    /** The earliest time from there on; {@link ShadowTime#NEVER} if there is none. */
    long earliest(final QueuedJob job, final long from_s, final long length_s) {
        final AvailabilityProfile limited = limited(job);
        long at = cluster.earliest(from_s, length_s, job.cores());
        while (limited != null && at < ShadowTime.NEVER) {
            final long there = limited.earliest(at, length_s, job.cores());
            if (there == at) {
                return at;
            }
            at = there >= ShadowTime.NEVER ? there : cluster.earliest(there, length_s, job.cores());
        }
        return at;
    }

    void forgetUntil(final long time_s) {
        cluster.forgetUntil(time_s);
        partitions.values().forEach(profile -> profile.forgetUntil(time_s));
    }

    void change(final long from_s, final int cores) {
        cluster.give(from_s, cores);
    }
}
