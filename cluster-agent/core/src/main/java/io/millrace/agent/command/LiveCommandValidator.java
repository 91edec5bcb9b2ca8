package io.millrace.agent.command;

import io.millrace.agent.domain.CommandValidator;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.ReclaimClaim;
import io.millrace.agent.domain.Verdict;
import io.millrace.agent.observe.AdapterCall;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Judges commands on the live cluster, of which one picture serves a burst of them, each command's own effect included. */
public final class LiveCommandValidator {

    private static final Logger LOG = LoggerFactory.getLogger(LiveCommandValidator.class);

    /** One query serves a burst of commands for so long. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final WorkloadManager wlm;
    private final CommandValidator validator;
    private final ActionAuthorization authorization;
    private final Clock clock;
    private final SiteTranslation site;
    private final Supplier<@Nullable String> unavailable;
    private final Map<CommandId, Action.Reclaim> reclaims = new HashMap<>();
    private @Nullable Snapshot snapshot;

    /** @param reclaims those under way when it was taken: their claim holds as long as this picture is used */
    private record Snapshot(LiveCluster live, Set<Action.Reclaim> reclaims, Instant takenAt) {}

    /** @param silence why the workload manager is not asked now; {@code null} where it answers */
    public LiveCommandValidator(
            final WorkloadManager wlm,
            final CommandValidator judge,
            final ActionAuthorization permits,
            final Clock clock,
            final SiteTranslation site,
            final Supplier<@Nullable String> silence) {
        this.wlm = wlm;
        this.validator = judge;
        this.authorization = permits;
        this.clock = clock;
        this.site = site;
        this.unavailable = silence;
    }

    /** Another burst: what was seen before it does not count. */
    void discardSnapshot() {
        snapshot = null;
    }

    /** A command under way: what a reclaim frees is its beneficiary's until {@link #finished}. */
    void started(final Command command) {
        if (command.action() instanceof Action.Reclaim reclaim) {
            reclaims.put(command.id(), reclaim);
        }
    }

    /** The picture as it is after this action. */
    void applied(final Action action) {
        final Snapshot last = snapshot;
        if (last != null) {
            snapshot = new Snapshot(last.live().after(action, clock.instant()), last.reclaims(), last.takenAt());
        }
    }

    /** It was answered. */
    void finished(final CommandId command) {
        reclaims.remove(command);
    }

    /** Why it is not carried out. A command that cannot even be judged is refused: one bad command must not keep the others from being heard. */
    Optional<Result> refusal(final Command command) {
        try {
            return validate(command);
        } catch (final RuntimeException e) {
            LOG.error("{} cannot be judged", command.id(), e);
            return Optional.of(new Result.Refused(Refusal.STALE, "the agent could not judge it: " + e));
        }
    }

    private Optional<Result> validate(final Command command) {
        final Optional<Result> face = refused(validator.validateStatic(command, clock.instant()));
        if (face.isPresent()) {
            return face;
        }
        final Optional<String> denied = authorization.refusal(command.action(), clock.instant());
        if (denied.isPresent()) {
            return Optional.of(new Result.Refused(Refusal.NOT_PERMITTED, denied.get()));
        }
        return CommandValidator.affectsQueue(command.action()) ? refusalOnTheCluster(command) : Optional.empty();
    }

    private Optional<Result> refusalOnTheCluster(final Command command) {
        final Answer<Snapshot> now = snapshot();
        final Answer<Set<AttemptId>> known = now.then(p -> known(command));
        if (now instanceof Answer.Ok<Snapshot> seen && known instanceof Answer.Ok<Set<AttemptId>> tags) {
            return refused(
                    validator.validateLive(command, seen.value().live(), claimed(seen.value()), tags.value()::contains));
        }
        final String because = now instanceof Answer.Trouble<Snapshot> trouble
                ? trouble.because()
                : ((Answer.Trouble<Set<AttemptId>>) known).because();
        return Optional.of(new Result.Refused(Refusal.STALE, "the workload manager does not answer: " + because));
    }

    private static Optional<Result> refused(final Verdict verdict) {
        return switch (verdict) {
            case Verdict.Begin b -> Optional.empty();
            case Verdict.Refuse refuse -> Optional.of(new Result.Refused(refuse.why(), refuse.because()));
        };
    }

    /** Idle cores that belong to reclaims under way, now or when the picture was taken. */
    private int claimed(final Snapshot seen) {
        final Set<Action.Reclaim> all = new HashSet<>(seen.reclaims());
        all.addAll(reclaims.values());
        return all.stream().mapToInt(reclaim -> ReclaimClaim.of(reclaim, seen.live())).sum();
    }

    private Answer<Snapshot> snapshot() {
        final Snapshot last = snapshot;
        final Instant now = clock.instant();
        if (last != null && last.takenAt().plus(FRESH).isAfter(now)) {
            return Answer.ok(last);
        }
        final String silent = unavailable.get();
        if (silent != null) {
            // It is asked again in its time; a command neither waits for that nor is carried out on what was seen
            // before.
            return Answer.trouble(Answer.Kind.DOWN, silent);
        }
        return AdapterCall.of("the look at the cluster", wlm::observe).map(site::of).map(this::snapshot);
    }

    private Snapshot snapshot(final Observation seen) {
        final LiveCluster live = LiveCluster.of(seen.control(), seen.jobs(), seen.nodes());
        final Snapshot fresh = new Snapshot(live, Set.copyOf(reclaims.values()), seen.at());
        snapshot = fresh;
        return fresh;
    }

    /** Of the attempts that must be absent, those that are there. */
    private Answer<Set<AttemptId>> known(final Command command) {
        final Set<AttemptId> there = new HashSet<>();
        for (final Precondition wanted : command.preconditions()) {
            if (!(wanted instanceof Precondition.AttemptAbsent absent)) {
                continue;
            }
            if (!(wlm instanceof AttemptFinding finding)) {
                return Answer.trouble(Answer.Kind.REJECTED, "it cannot find jobs by their tag");
            }
            switch (finding.find(absent.attempt())) {
                case Answer.Trouble<List<AttemptFinding.Found>> trouble -> {
                    return trouble.of();
                }
                case Answer.Ok<List<AttemptFinding.Found>> found -> {
                    if (!found.value().isEmpty()) {
                        there.add(absent.attempt());
                    }
                }
            }
        }
        return Answer.ok(there);
    }
}
