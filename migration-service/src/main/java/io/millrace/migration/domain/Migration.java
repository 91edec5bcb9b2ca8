package io.millrace.migration.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.view.IgnoredRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All global jobs and what is known of the clusters, folded from the log; {@link #decide} says what follows.
 *
 * <p>Submissions and ends wait in an inbox until the next decision: they are consumed once, in the same transaction as the states they
 * lead to. Everything else is a picture that may be read again at any time. Jobs are looked at when something about them was heard or
 * their time has come, never all of them.
 */
public final class Migration {

    private final Policy policy;
    private final Clusters clusters = new Clusters();
    private final Jobs jobs = new Jobs();
    private final CheapestRoom room = new CheapestRoom();
    private final Transfers transfers = new Transfers();
    private final Plans plans;
    private final Steps steps;
    private final Placements placements;
    private final Strays strays;
    private final Timers timers = new Timers();
    private final IgnoredRecords tally;

    private final List<SubmissionEvent> submissions = new ArrayList<>();
    private final List<RunEnded> ends = new ArrayList<>();
    private final Set<GlobalJobId> heard = new HashSet<>();
    private final Map<ClusterId, Set<GlobalJobId>> obstructed = new TreeMap<>();
    private final Set<ClusterId> revised = new TreeSet<>();
    private final Set<ClusterId> astray = new TreeSet<>();
    private boolean placementDue = true;
    private boolean decided;

    private List<Announcement> said = new ArrayList<>();

    /** @param tally counts what was read and meant nothing */
    public Migration(final Policy policy, final IgnoredRecords tally) {
        this.policy = policy;
        this.tally = tally;
        plans = new Plans(policy);
        steps = new Steps(policy, clusters, transfers::state);
        placements = new Placements(policy, clusters, room);
        strays = new Strays(policy, jobs);
    }

    public void submitted(final SubmissionEvent event) {
        submissions.add(event);
    }

    public void ended(final RunEnded end) {
        ends.add(end);
    }

    public void recorded(final GlobalJob job) {
        jobs.read(job);
        heard.add(job.id());
    }

    public void observed(final ClusterStateEvent event) {
        final Cluster cluster = clusters.of(event.cluster());
        if (cluster.observed(event)) {
            cluster.takeChanged().forEach(tag -> heard.add(tag.job()));
            revised.add(cluster.id());
            final Set<GlobalJobId> waitedForIt = obstructed.remove(cluster.id());
            if (waitedForIt != null) {
                heard.addAll(waitedForIt);
            }
            placementDue = true;
        }
    }

    /** @throws IllegalArgumentException if {@code key} is not a key of {@code millrace.cluster-state} */
    public void vanished(final ClusterId cluster, final String key) {
        clusters.of(cluster).vanished(key);
    }

    public void ordered(final Command command, final long offset) {
        clusters.of(command.cluster()).ordered(command, offset);
        placementDue = true;
    }

    public void answered(final Outcome outcome) {
        clusters.of(outcome.cluster()).answered(outcome);
        placementDue = true;
        if (outcome.issuer() == Issuer.MIGRATION) {
            jobs.bySubject(outcome.subject())
                    .ifPresentOrElse(heard::add, () -> tally.count("answer-about-no-live-job"));
            revised.add(outcome.cluster());
        }
    }

    public void transferred(final Transfer transfer) {
        transfers.read(transfer);
        heard.add(transfer.attempt().job());
    }

    /** Takes a plan of the replay. Once this has decided, its own memory is the truth and echoes are not asked. */
    public void planned(final Plan plan, final Instant at) {
        if (!decided) {
            plans.read(plan, at);
        }
    }

    /** What room for a job would cost on a cluster. */
    public void offered(final PlacementOffered offer) {
        room.put(offer);
        placementDue = true;
    }

    public void offerOver(final GlobalJobId job, final ClusterId cluster) {
        room.remove(job, cluster);
    }

    public void unplanned(final GlobalJobId job) {
        if (!decided) {
            plans.readWithdrawn(job);
        }
    }

    /** What follows from all that was heard; empty if nothing new. What is returned is taken as said. */
    public List<Announcement> decide(final Instant now) {
        decided = true;
        clusters.forgetBefore(now);
        submissions.forEach(event -> take(event, now));
        submissions.clear();
        ends.forEach(end -> take(end, now));
        ends.clear();
        heard.addAll(timers.takeDue(now));
        heard.stream().filter(jobs::isLive).sorted().toList().forEach(id -> follow(id, now));
        heard.clear();
        place(now);
        cancelStrays(now);
        transfers.forgetUnless(jobs::isLive);
        final List<Announcement> all = said;
        said = new ArrayList<>();
        return all;
    }

    private void cancelStrays(final Instant now) {
        revised.addAll(astray);
        astray.clear();
        for (final ClusterId id : revised) {
            final Cluster cluster = clusters.of(id);
            strays.due(cluster, now).forEach(cancel -> order(cluster, cancel, now));
            if (strays.isAny(cluster)) {
                astray.add(id);
            }
        }
        revised.clear();
        timers.lookForStrays(astray.isEmpty() ? Optional.empty() : Optional.of(now.plus(policy.retryAfter())));
    }

    /** When to decide next even if nothing is heard. */
    public Optional<Instant> wakeAt() {
        return timers.next();
    }

    /** Jobs that are not yet over, by the word of their state. */
    public Map<String, Long> liveByState() {
        return jobs.byState();
    }

    private void take(final SubmissionEvent event, final Instant now) {
        switch (event) {
            case JobSubmitted submission -> {
                if (jobs.isKnown(submission.job())) {
                    tally.count("submission-repeated");
                    return;
                }
                record(Lifecycle.accepted(submission, now));
            }
            case StopRequested stop -> {
                final Optional<GlobalJob> job = jobs.find(stop.job());
                if (job.isEmpty()) {
                    tally.count(jobs.isKnown(stop.job()) ? "stop-of-ended-job" : "stop-of-unknown-job");
                    return;
                }
                learn(job.get(), new Fact.StopAsked(stop), now);
            }
        }
    }

    /** A run that ended. What it says about a job of ours is taken at once, even if the local id was not known before. */
    private void take(final RunEnded end, final Instant now) {
        final AttemptId tag = end.attempt();
        if (tag == null || !end.outcome().endsTheKey()) {
            return;
        }
        final Optional<GlobalJob> job = jobs.find(tag.job()).filter(j -> isCurrent(j, tag));
        final Fact fact = end.outcome() instanceof RunOutcome.Continued on
                ? new Fact.GoesOn(end.job(), on.continuedAs())
                : new Fact.RunOver(end.job(), end.outcome());
        if (job.isEmpty() || !learn(job.get(), fact, now)) {
            tally.count("end-of-no-current-attempt");
        }
    }

    private static boolean isCurrent(final GlobalJob job, final AttemptId tag) {
        final Attempt attempt = job.attempt();
        return attempt != null && attempt.number() == tag.number();
    }

    /** Takes a placed job as far as what is known allows. */
    private void follow(final GlobalJobId id, final Instant now) {
        Optional<GlobalJob> job = jobs.find(id);
        while (job.isPresent() && !(job.get().state() instanceof Waiting)) {
            final GlobalJob current = job.get();
            final Cluster cluster =
                    clusters.of(Objects.requireNonNull(current.attempt()).cluster());
            switch (steps.next(current, now)) {
                case Next.Learn learned -> {
                    if (!learn(current, learned.fact(), now)) {
                        throw new IllegalStateException(
                                current.state() + " of " + id + " has no place for " + learned.fact());
                    }
                }
                case Next.Order order -> order(cluster, order, now);
                case Next.Wait wait -> {
                    rest(current, cluster, wait, now);
                    return;
                }
            }
            job = jobs.find(id);
        }
    }

    private void rest(final GlobalJob job, final Cluster cluster, final Next.Wait wait, final Instant now) {
        timers.set(job.id(), Timers.earlier(wait.until(), cluster.silentFrom(policy, now)));
        final Optional<Veto> obstacle = wait.obstacle().or(() -> unheard(job, cluster, now));
        if (obstacle.isEmpty()) {
            plans.withdraw(job.id()).ifPresent(said::add);
            return;
        }
        obstructed.computeIfAbsent(cluster.id(), c -> new HashSet<>()).add(job.id());
        plans.explain(job.id(), job.state().word() + ": " + obstacle.get().reason(), List.of(obstacle.get()), now)
                .ifPresent(said::add);
    }

    /** A job in the hands of a cluster that is not heard of: its owner is told that nothing is known. */
    private Optional<Veto> unheard(final GlobalJob job, final Cluster cluster, final Instant now) {
        return job.state() instanceof Making || job.state() instanceof Submitted
                ? cluster.silence(policy, now)
                : Optional.empty();
    }

    private void place(final Instant now) {
        final List<GlobalJob> waiting = jobs.waiting();
        if (waiting.isEmpty() || !(placementDue || timers.isPlacementDue(now))) {
            return;
        }
        for (final Placements.Placement placement : placements.of(jobs.all(), waiting, now)) {
            final GlobalJob job = placement.job();
            learn(job, placement.fact(), now);
            if (placement.fact() instanceof Fact.Delayed delayed) {
                plans.explain(job.id(), delayed.why(), placement.vetoes(), now).ifPresent(said::add);
            } else {
                follow(job.id(), now);
            }
        }
        placementDue = false;
        timers.placeAgain(placements.next(jobs.waiting(), now));
    }

    /** Records what the fact makes of the job, and asks for what its new state needs; false if the fact means nothing to it. */
    private boolean learn(final GlobalJob job, final Fact fact, final Instant now) {
        final Optional<GlobalJob> after = Lifecycle.after(job, fact, now);
        after.ifPresent(next -> {
            record(next);
            Errands.of(job, next, clusters, now).forEach(request -> said.add(new Announcement.Say(request)));
        });
        return after.isPresent();
    }

    private void record(final GlobalJob job) {
        jobs.put(job);
        said.add(new Announcement.Say(job));
        heard.add(job.id());
        placementDue = true;
        if (job.state().isFinal()) {
            plans.withdraw(job.id()).ifPresent(said::add);
            timers.set(job.id(), Optional.empty());
            final Attempt attempt = job.attempt();
            if (attempt != null) {
                revised.add(attempt.cluster());
            }
        }
    }

    private void order(final Cluster cluster, final Next.Order order, final Instant now) {
        final Command command = cluster.order(order, policy, now);
        said.add(new Announcement.Say(command));
    }
}
