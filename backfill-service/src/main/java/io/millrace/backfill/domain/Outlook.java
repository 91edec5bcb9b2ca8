package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.Veto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tells every waiting job its place, a predicted start and why it waits. The prediction lets the queue run dry in order, each job
 * not before the one ahead of it and each for its whole limit, cores counted wherever they lie: one sweep, O((R + Q) log (R + Q)).
 */
public final class Outlook {

    private record Release(long at_s, PartitionName partition, Resources resources) {}

    private final Schedule schedule;
    private final Map<JobKey, JobKey> displacedBy;
    private final long now_s;
    private final Room room;
    /** The room when everything with a known end has ended: what does not fit here has no predictable start. */
    private final Room bounded;

    private final int coresUp;

    private final PriorityQueue<Release> releases = new PriorityQueue<>(Comparator.comparingLong(Release::at_s));
    private long sweep_s;

    private Outlook(
            final QueueView view, final Schedule schedule, final Map<JobKey, JobKey> displacedBy, final long now_s) {
        this.schedule = schedule;
        this.displacedBy = displacedBy;
        this.now_s = now_s;
        this.sweep_s = now_s;
        this.room = Room.of(view);
        schedule.starts().forEach(start -> room.take(start.job()));
        this.bounded = room.copy();
        this.coresUp = view.idleCores()
                + view.running().stream().mapToInt(RunningJob::cores).sum();
        view.running().forEach(job -> release(job.endSeenFrom(now_s), job.partition(), job.resources()));
        schedule.starts()
                .forEach(start -> release(
                        start.job().endIfStartedAt(now_s),
                        start.job().partition(),
                        start.job().resources()));
    }

    /** @param displacedBy for jobs that lost a reservation to guaranteed work: to whose */
    public static List<Forecast> of(
            final QueueView view, final Schedule schedule, final Map<JobKey, JobKey> displacedBy, final long now_s) {
        return new Outlook(view, schedule, displacedBy, now_s).forecasts();
    }

    private void release(final long end_s, final PartitionName partition, final Resources resources) {
        if (end_s < ShadowTime.NEVER) {
            releases.add(new Release(end_s, partition, resources));
            bounded.giveCores(partition, resources);
        }
    }

    private List<Forecast> forecasts() {
        // Vetoes speak of this moment, so they are taken before the sweep moves on.
        final List<List<Veto>> vetoes =
                schedule.waiting().stream().map(this::vetoes).toList();
        final List<Forecast> forecasts = new ArrayList<>(vetoes.size());
        for (int i = 0; i < vetoes.size(); i++) {
            final QueuedJob job = schedule.waiting().get(i);
            forecasts.add(new Forecast(job, i + 1, predict(job), why(job, vetoes.get(i)), vetoes.get(i)));
        }
        return forecasts;
    }

    private @Nullable ShadowTime predict(final QueuedJob job) {
        if (!bounded.fitsCores(job)) {
            return null;
        }
        while (!room.fitsCores(job)) {
            final Release next = releases.remove();
            sweep_s = Math.max(sweep_s, next.at_s());
            room.giveCores(next.partition(), next.resources());
        }
        final Reservation own = ownReservation(job);
        if (own != null && own.shadow().isForeseeable()) {
            sweep_s = Math.max(sweep_s, own.shadow().second());
        }
        room.takeCores(job);
        bounded.takeCores(job);
        release(job.endIfStartedAt(sweep_s), job.partition(), job.resources());
        return own == null ? new ShadowTime(sweep_s) : foreseeable(own.shadow());
    }

    private static @Nullable ShadowTime foreseeable(final ShadowTime shadow) {
        return shadow.isForeseeable() ? shadow : null;
    }

    private @Nullable Reservation ownReservation(final QueuedJob job) {
        final Reservation reservation = schedule.reservation();
        return reservation != null && reservation.head() == job ? reservation : null;
    }

    private List<Veto> vetoes(final QueuedJob job) {
        final List<Veto> vetoes = new ArrayList<>();
        final JobKey displacer = displacedBy.get(job.job());
        if (displacer != null) {
            vetoes.add(Veto.forNow(
                    "displaced", "gave up its reservation to guaranteed work: " + displacer.id() + " goes first"));
        }
        if (job.cores() > coresUp) {
            vetoes.add(Veto.forNow("more-than-up", "needs " + job.cores() + " cores, " + coresUp + " are up"));
        } else if (job.cores() > room.idle()) {
            vetoes.add(Veto.forNow("no-idle-cores", "needs " + job.cores() + " cores, " + room.idle() + " are idle"));
        } else if (!room.fitsCores(job)) {
            vetoes.add(Veto.forNow(
                    "partition-full", "partition '" + job.partition() + "' has no " + job.cores() + " cores left"));
        } else if (!room.fits(job)) {
            vetoes.add(Veto.forNow(
                    "no-nodes",
                    "the cores are idle, but not on " + job.resources().nodes() + " node(s) together"));
        } else if (schedule.reservation() != null) {
            final Reservation reservation = schedule.reservation();
            vetoes.add(Veto.forNow(
                    "would-delay-head",
                    "would not end by " + reservation.shadow() + ", when "
                            + reservation.head().job().id() + " has its cores reserved, and does not fit beside it"));
        }
        return vetoes;
    }

    private String why(final QueuedJob job, final List<Veto> vetoes) {
        if (displacedBy.containsKey(job.job())) {
            return "gave up its reservation to guaranteed work";
        }
        if (ownReservation(job) != null) {
            return "first in order: starts when " + job.cores() + " cores are free for it";
        }
        return switch (vetoes.isEmpty() ? "" : vetoes.getLast().code()) {
            case "would-delay-head" -> "would delay the first job in order";
            case "more-than-up" -> "needs more cores than are up";
            case "partition-full" -> "partition '" + job.partition() + "' is full";
            case "no-nodes" -> "no " + job.resources().nodes() + " node(s) have room for it";
            default -> "too few cores are idle, and jobs before it come first";
        };
    }
}
