package io.millrace.agent.observe;

import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentSettings;
import io.millrace.agent.domain.BoundedEvents;
import io.millrace.agent.domain.BoundedText;
import io.millrace.agent.domain.RunSettlement;
import io.millrace.agent.domain.ShortJobs;
import io.millrace.agent.domain.SnapshotDiff;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.decide.ClusterView;
import io.millrace.model.Backoff;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.SupportedVersions;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.transfer.CopyProgress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls the workload manager and publishes a revision: changes, ended runs and the revision marker, in one transaction. */
public final class ClusterObserver {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterObserver.class);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    /** Progress of copies is published at most this often. */
    private static final Duration COPIES_INTERVAL = Duration.ofSeconds(4);

    private final AgentSettings settings;
    private final Backoff pollBackoff;
    private final WorkloadManager wlm;
    private final OfferCache offering;
    private final RunEndResolver ends;
    private final UnobservedEnds unobserved;
    private final SiteTranslation site;
    private final Supplier<List<CopyProgress>> copies;
    private final Supplier<@Nullable String> controlProblem;
    private final ConditionReadings conditions;
    private final AgentLog log;
    private final Clock clock;
    private final Map<JobKey, JobObserved> expected = new HashMap<>();
    private ClusterView published;
    private Instant publishedAt = Instant.MIN;
    private ShortJobs shortJobs = ShortJobs.NONE;
    private volatile String version = "unknown";
    private volatile WlmStatus status;
    private Set<String> lastUnreadable = Set.of();
    /** Changes that are too large for a record even with bounded texts. */
    private final Set<ClusterStateEvent> unwritable = new HashSet<>();

    public ClusterObserver(
            final AgentSettings settings,
            final WorkloadManager wlm,
            final OfferCache offering,
            final RunEndResolver ends,
            final UnobservedEnds unseen,
            final SiteTranslation site,
            final Supplier<List<CopyProgress>> copies,
            final Supplier<@Nullable String> controlProblem,
            final ConditionReadings conditions,
            final AgentLog log,
            final Clock clock) {
        this.settings = settings;
        final Duration poll = settings.pollInterval();
        this.pollBackoff = new Backoff(poll, poll.compareTo(MAX_DELAY) > 0 ? poll : MAX_DELAY);
        this.wlm = wlm;
        this.offering = offering;
        this.ends = ends;
        this.unobserved = unseen;
        this.site = site;
        this.copies = copies;
        this.controlProblem = controlProblem;
        this.conditions = conditions;
        this.log = log;
        this.clock = clock;
        this.published = new ClusterView(settings.cluster());
        this.status = new WlmStatus(new WlmHealth.Stale(clock.instant(), "not polled yet"), null, 0, 0, 0);
    }

    /** Takes over the state replayed from Kafka. */
    public void restore(final AgentLog.ReplayedState state) {
        published = state.view();
        publishedAt = Instant.MIN;
        site.learn(published.jobs());
        unobserved.restore(state.lastObservedAt(), state.ends());
    }

    /** Registers a job that was just submitted. Its end is published even if it ends before the next poll. */
    public void expect(final JobObserved job) {
        expected.put(job.job(), job);
    }

    /** How the workload manager has answered recently. Thread-safe. */
    public WlmStatus status() {
        return status;
    }

    /** Product and version of the workload manager, as last read. Thread-safe. */
    public String version() {
        return version;
    }

    /** Time until the next poll, with exponential back-off while the workload manager does not answer. */
    public Duration pollDelay() {
        return pollBackoff.after(status.failedPolls() + 1);
    }

    /** Whether short jobs seem to run, so that waiting ones should start sooner than after the next regular poll. */
    public boolean runsShortJobs() {
        return shortJobs.mayEnd(clock.instant());
    }

    /**
     * Polls the workload manager once and publishes the result.
     *
     * @param included maps the observation to the offset up to which it includes the effects of commands
     * @return the observation; null if the workload manager did not answer
     */
    @Nullable
    public Observation observe(final Function<Observation, Long> included) {
        site.refresh();
        return switch (AdapterCall.of("observation of '" + settings.cluster() + "'", wlm::observe)
                .then(this::plausible)) {
            case Answer.Ok<Observation> ok -> {
                answering(ok.value());
                close(paused(bounded(site.of(ok.value()))), included.apply(ok.value()));
                yield ok.value();
            }
            case Answer.Trouble<Observation> trouble -> {
                stale(trouble.reason());
                yield null;
            }
        };
    }

    /** Rejects an observation without nodes if the cluster had some: the daemon has not loaded its state yet. */
    private Answer<Observation> plausible(final Observation seen) {
        return seen.nodes().isEmpty() && !published.nodes().isEmpty()
                ? Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "the workload manager reports no nodes, "
                                + published.nodes().size() + " before; its daemon may be starting")
                : Answer.ok(seen);
    }

    private static Observation bounded(final Observation seen) {
        return new Observation(
                seen.at(),
                seen.control(),
                seen.jobs().stream().map(BoundedEvents::of).toList(),
                seen.nodes().stream().map(BoundedEvents::of).toList(),
                seen.partitions(),
                seen.unreadable());
    }

    /**
     * Jobs that are being checkpointed are shown as last published, until the end of their run is known; so are jobs that the adapter could
     * not read.
     */
    private Observation paused(final Observation seen) {
        final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
        seen.jobs().forEach(job -> jobs.put(job.job(), job));
        for (final JobObserved job : published.jobs()) {
            if (ends.isPaused(job.job())) {
                // The key under which the job may continue is hidden as well: an attempt is one job at any time.
                jobs.values().removeIf(other -> isNextOf(other, job));
                jobs.put(job.job(), job);
            }
            if (seen.unreadable().contains(job.job().id().local())) {
                jobs.putIfAbsent(job.job(), job);
            }
        }
        return new Observation(
                seen.at(),
                seen.control(),
                List.copyOf(jobs.values()),
                seen.nodes(),
                seen.partitions(),
                seen.unreadable());
    }

    private boolean isNextOf(final JobObserved other, final JobObserved job) {
        return job.attempt() != null && job.attempt().equals(other.attempt()) && published.job(other.job()) == null;
    }

    private void close(final Observation seen, final long included) {
        final List<JobObserved> before = new ArrayList<>(published.jobs());
        expected.values().stream()
                .filter(job -> published.job(job.job()) == null)
                .forEach(before::add);
        final RunSettlement settlement = ends.settle(before, seen.jobs(), seen.at());
        final List<JobObserved> jobs = new ArrayList<>(seen.jobs());
        jobs.addAll(settlement.unsettled());
        final List<RunEnded> newEnds = new ArrayList<>(settlement.ends());
        newEnds.addAll(unobserved.find(seen.at(), known(before, jobs)));
        newEnds.replaceAll(BoundedEvents::of);
        final ClusterConditions limits = conditions.current();
        final SnapshotDiff all = SnapshotDiff.between(
                published,
                jobs,
                seen.nodes(),
                seen.partitions(),
                site.published(),
                limits == null ? published.conditions() : limits);
        unwritable.retainAll(all.changed());
        final RevisionClosed marker = marker(
                seen.at(),
                status.health(),
                seen.control(),
                sum(seen.nodes(), NodeObserved::total),
                sum(seen.nodes(), NodeObserved::free),
                included);
        noteShortJobs(marker, seen);
        SnapshotDiff differences = all.without(unwritable);
        if (differences.isEmpty() && newEnds.isEmpty() && !isDue(marker)) {
            return;
        }
        try {
            commit(newEnds, differences, marker);
        } catch (final AgentLog.Unwritable e) {
            leaveOut(all, e);
            differences = all.without(unwritable);
            commit(newEnds, differences, marker);
        }
        differences.changed().forEach(published::apply);
        differences.removed().forEach(published::remove);
        applied(marker);
        ends.published(settlement);
        unobserved.published(newEnds);
        expected.clear();
    }

    private void noteShortJobs(final RevisionClosed marker, final Observation seen) {
        final RevisionClosed last = published.marker();
        if (last != null) {
            final boolean waits = seen.control() == Control.DIRECTED
                    && seen.jobs().stream().anyMatch(job -> job.state().isWaiting());
            shortJobs =
                    shortJobs.after(last.free(), marker.free(), waits, marker.observedAt(), settings.pollInterval());
        }
    }

    private void commit(final List<RunEnded> newEnds, final SnapshotDiff differences, final RevisionClosed marker) {
        final List<AgentLog.Entry> entries = new ArrayList<>();
        newEnds.forEach(end -> entries.add(new AgentLog.Entry.Put(end)));
        differences.changed().forEach(event -> entries.add(new AgentLog.Entry.Put(event)));
        differences.removed().forEach(key -> entries.add(new AgentLog.Entry.Removed(key)));
        entries.add(new AgentLog.Entry.Put(marker));
        log.commit(entries);
    }

    /** Shows what cannot be written as last published, because the rest of the cluster waits behind it. */
    private void leaveOut(final SnapshotDiff all, final AgentLog.Unwritable failure) {
        all.changed().stream().filter(failure.events()::contains).forEach(event -> {
            unwritable.add(event);
            LOG.atError()
                    .addKeyValue("cluster", settings.cluster())
                    .addKeyValue("reason", failure.getMessage())
                    .log("'{}' cannot be written; it is shown as last published", event.key());
        });
    }

    private static Predicate<JobKey> known(final List<JobObserved> before, final List<JobObserved> now) {
        final Set<JobKey> keys = new HashSet<>();
        before.forEach(job -> keys.add(job.job()));
        now.forEach(job -> keys.add(job.job()));
        return keys::contains;
    }

    private void stale(final String reason) {
        final RevisionClosed last = published.marker();
        final Instant now = clock.instant();
        final WlmHealth.Stale stale;
        if (status.unavailableReason() == null || !(status.health() instanceof WlmHealth.Stale already)) {
            LOG.atWarn()
                    .addKeyValue("cluster", settings.cluster())
                    .addKeyValue("reason", reason)
                    .log("the workload manager does not answer; its last published state is of {}", publishedAt);
            stale = new WlmHealth.Stale(last == null ? now : last.observedAt(), BoundedText.of(reason));
        } else {
            stale = already;
        }
        status = status.unavailable(stale);
        publishUnavailable(stale, now);
    }

    /** Publishes that the workload manager is unavailable as often as a normal marker, although polls back off. */
    public void heartbeat() {
        if (status.unavailableReason() != null) {
            publishUnavailable(status.health(), clock.instant());
        }
    }

    private void publishUnavailable(final WlmHealth health, final Instant now) {
        final RevisionClosed last = published.marker();
        final RevisionClosed marker = marker(
                now,
                health,
                last == null ? settings.control() : last.control(),
                last == null ? Resources.NONE : last.total(),
                last == null ? Resources.NONE : last.free(),
                last == null ? 0 : last.commandsIncluded());
        if (isDue(marker)) {
            log.commit(List.of(new AgentLog.Entry.Put(marker)));
            applied(marker);
        }
    }

    private void answering(final Observation seen) {
        final boolean recovered = !(status.health() instanceof WlmHealth.Answering);
        offering.refresh(recovered);
        if (recovered) {
            final String before = version;
            readVersion();
            LOG.atInfo().addKeyValue("cluster", settings.cluster()).log("the workload manager answers ({})", version);
            if (!version.equals(before)) {
                SupportedVersions.problem(version)
                        .ifPresent(problem -> LOG.atWarn()
                                .addKeyValue("cluster", settings.cluster())
                                .log(problem));
            }
        }
        reportUnreadable(seen.unreadable());
        status = status.answered(seen.at(), unknown(seen), seen.unreadable().size());
    }

    /** Logs them when they change, not at every poll. */
    private void reportUnreadable(final Set<String> unreadable) {
        if (!unreadable.isEmpty() && !unreadable.equals(lastUnreadable)) {
            LOG.atWarn()
                    .addKeyValue("cluster", settings.cluster())
                    .addKeyValue("reason", "the output is ambiguous, damaged or of an unknown version")
                    .log(
                            "cannot read {} of the listed jobs: {}; they are shown as last published",
                            unreadable.size(),
                            unreadable);
        }
        lastUnreadable = unreadable;
    }

    private static int unknown(final Observation seen) {
        final long jobs = seen.jobs().stream()
                .filter(job -> job.state() instanceof JobState.Unknown)
                .count();
        final long nodes = seen.nodes().stream()
                .filter(node -> node.availability() == NodeObserved.Availability.UNKNOWN)
                .count();
        return (int) (jobs + nodes);
    }

    private void readVersion() {
        try {
            version = BoundedText.of(wlm.version());
        } catch (final RuntimeException e) {
            // Only informational; queried again when the workload manager becomes available again.
            LOG.atWarn()
                    .addKeyValue("cluster", settings.cluster())
                    .addKeyValue("reason", e.toString())
                    .log("cannot read the version of the workload manager");
        }
    }

    /** Whether the marker differs from the last one, or a heartbeat is due. */
    private boolean isDue(final RevisionClosed marker) {
        final RevisionClosed last = published.marker();
        return last == null
                || !marker.observedAt().isBefore(publishedAt.plus(settings.heartbeatInterval()))
                || !marker.allCopies().equals(last.allCopies())
                        && !marker.observedAt().isBefore(publishedAt.plus(COPIES_INTERVAL))
                || marker.commandsIncluded() != last.commandsIncluded()
                || marker.control() != last.control()
                || !marker.health().equals(last.health())
                || !marker.wlm().equals(last.wlm())
                || !marker.capabilities().equals(last.capabilities())
                || marker.startRule() != last.startRule()
                || !Objects.equals(marker.memoryPerSlot(), last.memoryPerSlot())
                || !Objects.equals(marker.controlProblem(), last.controlProblem())
                || !marker.notes().equals(last.notes())
                || !marker.free().equals(last.free())
                || !marker.total().equals(last.total());
    }

    private void applied(final RevisionClosed marker) {
        published.apply(marker);
        published.takeGone();
        publishedAt = marker.observedAt();
    }

    private RevisionClosed marker(
            final Instant at,
            final WlmHealth state,
            final Control control,
            final Resources total,
            final Resources free,
            final long included) {
        final RevisionClosed last = published.marker();
        final Offer offer = offering.current();
        return new RevisionClosed(
                settings.cluster(),
                last == null ? 1 : last.revision() + 1,
                at,
                state,
                control,
                version,
                total,
                free,
                offer != null ? offer.capabilities() : last == null ? Set.of() : last.capabilities(),
                included,
                settings.stagingRoot() == null ? null : settings.stagingRoot().toString(),
                settings.dataHost(),
                offer != null ? offer.notes() : last == null ? Map.of() : last.notes(),
                copies.get(),
                offer != null ? offer.startRule() : last == null ? null : last.startRule(),
                offer != null ? offer.memoryPerSlot() ? true : null : last == null ? null : last.memoryPerSlot(),
                controlProblem.get());
    }

    private static Resources sum(final List<NodeObserved> nodes, final Function<NodeObserved, Resources> which) {
        final List<Resources> up = nodes.stream()
                .filter(node -> node.availability() == NodeObserved.Availability.UP)
                .map(which)
                .toList();
        return new Resources(
                (int) total(up, Resources::cores),
                (int) total(up, Resources::nodes),
                total(up, Resources::memoryMib),
                (int) total(up, Resources::gpus));
    }

    private static long total(final List<Resources> all, final ToLongFunction<Resources> which) {
        return all.stream().mapToLong(which).sum();
    }
}
