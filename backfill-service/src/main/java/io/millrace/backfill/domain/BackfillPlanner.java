package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Decides which waiting jobs start now, what is reserved for those that cannot, and who is cut when a reservation is due. One planner: FCFS,
 * EASY, conservative and checkpoint backfill are settings of its policy. Pure: the same calls give the same decisions.
 *
 * <p>It keeps books of its own, so that a pass costs what changed rather than what there is: tell it of arrivals, starts that it did not decide
 * itself, and ends, then ask for decisions. {@link #plan} is the same for a view made from scratch. Not thread-safe.
 */
public final class BackfillPlanner {

    private final BackfillPolicy policy;
    private final Ledger ledger;
    private final List<PlannedJob> arrived = new ArrayList<>();
    /** What was reserved before this planner was made; taken into its books by the first decision. */
    private Map<JobKey, Promise> promised;

    private boolean somebodyEnded;

    /**
     * @param view what there is to begin with
     * @param history what past runs teach; the planner's owner tells it of ended runs through {@link #learn}
     */
    public BackfillPlanner(final BackfillPolicy policy, final QueueView view, final RunTimes history) {
        this.policy = policy;
        this.promised = policy.reservations() > 1 || !view.windows().isEmpty() ? view.promised() : Map.of();
        this.ledger = new Ledger(
                policy,
                view,
                history,
                view.running().stream().map(BackfillPlanner::running).toList());
        final List<PlannedJob> waiting = view.queued().stream()
                .map(job -> waiting(job, view.first().contains(job.job())))
                .toList();
        ledger.queueAll(waiting);
        arrived.addAll(waiting);
    }

    /** One pass over a view made from scratch. @param now_s whole seconds since the epoch (or since anything, if all times are) */
    public static Schedule plan(final QueueView view, final BackfillPolicy policy, final long now_s) {
        return plan(view, policy, new RunTimes(), now_s);
    }

    /** @param history from which run times are foreseen, where the policy does */
    public static Schedule plan(
            final QueueView view, final BackfillPolicy policy, final RunTimes history, final long now_s) {
        final BackfillPlanner planner = new BackfillPlanner(policy, view, history);
        final Decisions decisions = planner.decide(now_s);
        return planner.schedule(decisions, List.copyOf(planner.waitingInOrder()));
    }

    private PlannedJob waiting(final QueuedJob job, final boolean isDue) {
        return new PlannedJob(job, precedence(job, isDue));
    }

    /** @param isDue whether others are being cut for its sake */
    int precedence(final QueuedJob job, final boolean isDue) {
        final Cutting cutting = policy.cutting();
        if (isDue) {
            return PlannedJob.IS_DUE;
        }
        if (policy.keepsHead() && (job.traits().isHead() || promised.containsKey(job.job()))) {
            return PlannedJob.IS_HEAD;
        }
        final boolean first = job.traits().cuts() > 0 && (cutting == null || cutting.toHead());
        return first ? PlannedJob.WAS_CUT : 0;
    }

    private static PlannedJob running(final RunningJob seen) {
        final QueuedJob job = new QueuedJob(
                seen.job(),
                seen.resources(),
                seen.partition(),
                ShadowTime.NEVER,
                0,
                false,
                seen.traits(),
                seen.placement());
        final PlannedJob planned = new PlannedJob(job, 0);
        planned.running(seen);
        return planned;
    }

    /** A job has come to wait. */
    public PlannedJob queue(final QueuedJob job) {
        return queue(job, false);
    }

    /** @param isDue whether others are being cut for its sake */
    PlannedJob queue(final QueuedJob job, final boolean isDue) {
        final PlannedJob planned = waiting(job, isDue);
        ledger.queue(planned);
        arrived.add(planned);
        return planned;
    }

    /** A waiting job has left without a start. */
    public void withdraw(final PlannedJob job) {
        ledger.withdraw(job);
        if (!arrived.remove(job) && job.holdsReservation()) {
            ledger.release(job);
            ledger.holders.remove(job);
            somebodyEnded = true;
        }
    }

    /** A job runs that this planner did not start. The room is told by {@link #room}. */
    PlannedJob run(final RunningJob seen, final long now_s) {
        final PlannedJob planned = running(seen);
        ledger.run(planned, now_s);
        return planned;
    }

    /** The room was seen to be this. */
    void room(final Room seen) {
        ledger.room(seen);
    }

    /** The room that its decisions have left. */
    Room room() {
        return ledger.room();
    }

    /** Who waits or runs. */
    List<PlannedJob> everybody() {
        final List<PlannedJob> all = new ArrayList<>();
        for (int i = ledger.line.next(0); i < ledger.line.end(); i = ledger.line.next(i + 1)) {
            all.add(ledger.line.at(i));
        }
        for (int i = ledger.ends.first(); i < ledger.ends.end(); i++) {
            all.add(ledger.ends.at(i));
        }
        return all;
    }

    WaitingLine line() {
        return ledger.line;
    }

    /** A job that runs has freed its cores: at its end, or cut. */
    public void end(final PlannedJob job, final long now_s) {
        ledger.end(job, now_s);
        somebodyEnded = true;
    }

    /** The walltime of a job that runs is over: its cores count as free, as everybody's plans foresaw, though its end was not seen yet. */
    public void expire(final PlannedJob job, final long now_s) {
        ledger.end(job, now_s);
    }

    /** Lets the next decision try every reservation again, as after an end. */
    public void tryAllAgain() {
        somebodyEnded = true;
    }

    /** Cores have come to the cluster, or left it if negative: nodes failing or returning. Those that leave must be free. */
    public void changeCores(final int by, final long now_s) {
        ledger.room().change(by);
        if (ledger.looksLater()) {
            ledger.later().change(now_s, by);
        }
        somebodyEnded = true;
    }

    /** A job has come to its own end after so many seconds of work; asked for so many. */
    public void learn(final Traits traits, final long ran_s, final long asked_s) {
        ledger.history.ended(traits, ran_s, asked_s);
        ledger.learned();
    }

    /** The history has learned from runs of others. */
    void learned() {
        ledger.learned();
    }

    /** Decides, and takes its own decisions as done: who starts runs, who is cut will have left in the time that a checkpoint takes. */
    public Decisions decide(final long now_s) {
        ledger.lookAround(now_s);
        if (!promised.isEmpty()) {
            keepPromises(now_s);
        }
        if (policy.reservations() == BackfillPolicy.ALL) {
            arrived.sort(policy.order().comparator());
            final Decisions decisions = new LastingPass(ledger, now_s).decide(arrived, somebodyEnded);
            news();
            return decisions;
        }
        news();
        if (ledger.line.live() == 0) {
            return Decisions.NOTHING;
        }
        return ledger.looksLater() ? new DeepPass(ledger, now_s).decide() : new HeadPass(ledger, now_s).decide();
    }

    private void keepPromises(final long now_s) {
        final Promises promises = new Promises(ledger, now_s);
        promises.add(arrived, promised);
        if (policy.reservations() == BackfillPolicy.ALL) {
            promises.keepOrMove();
        } else {
            promises.keepOrPlanAnew();
            ledger.holders.addAll(promises.holders());
        }
        arrived.removeIf(PlannedJob::holdsReservation);
        somebodyEnded = true;
        promised = Map.of();
    }

    private void news() {
        arrived.clear();
        somebodyEnded = false;
    }

    public int idleCores() {
        return ledger.room().idle();
    }

    /** How many jobs wait. */
    public int waiting() {
        return ledger.line.live();
    }

    /** The first end that is foreseen of the jobs that run; {@link ShadowTime#NEVER} if none is. */
    public long nextForeseenEnd_s() {
        return ledger.ends.isEmpty() ? ShadowTime.NEVER : ledger.ends.end_s(ledger.ends.first());
    }

    /** Whose that is. @throws IllegalStateException if nothing runs */
    public PlannedJob nextToEnd() {
        if (ledger.ends.isEmpty()) {
            throw new IllegalStateException("nothing runs");
        }
        return ledger.ends.at(ledger.ends.first());
    }

    /** Who waits, until something changes. */
    Collection<QueuedJob> waitingInOrder() {
        return new InOrder(ledger.line);
    }

    Schedule schedule(final Decisions decisions, final Collection<QueuedJob> waiting) {
        return new Schedule(
                map(decisions.started(), PlannedJob::decided),
                map(
                        decisions.cut(),
                        job -> new Cut(
                                job.job().job(),
                                job.cores(),
                                job.job().traits().checkpointable(),
                                decisions.reservations().getFirst())),
                policy.reservations() == BackfillPolicy.ALL ? everyReservation() : decisions.reservations(),
                waiting,
                new ShadowTime(decisions.lookAgain_s()));
    }

    private List<Reservation> everyReservation() {
        final List<Reservation> reservations = new ArrayList<>();
        for (int i = ledger.line.next(0); i < ledger.line.end(); i = ledger.line.next(i + 1)) {
            reservations.add(ledger.reservationOf(ledger.line.at(i)));
        }
        return reservations;
    }

    private static <T> List<T> map(final List<PlannedJob> jobs, final Function<PlannedJob, T> as) {
        return jobs.stream().map(as).toList();
    }
}
