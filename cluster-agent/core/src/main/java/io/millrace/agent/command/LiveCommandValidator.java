package io.millrace.agent.command;

import io.millrace.agent.action.AgentAction;
import io.millrace.agent.action.ClusterFence;
import io.millrace.agent.action.CommandValidator;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.ReclaimClaim;
import io.millrace.agent.domain.ReserveVictims;
import io.millrace.agent.observe.AdapterCall;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.ClusterAvailability;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Validates commands against the live cluster. One snapshot serves a burst of commands; it includes the expected effect of each. */
public final class LiveCommandValidator {

    private static final Logger LOG = LoggerFactory.getLogger(LiveCommandValidator.class);

    /** Maximum age of a snapshot. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final WorkloadManager wlm;
    private final CommandValidator validator;
    private final ActionAuthorization authorization;
    private final Clock clock;
    private final SiteTranslation site;
    private final Supplier<@Nullable String> unavailable;
    private final Map<CommandId, Action.Reclaim> reclaims = new HashMap<>();
    /** The submissions of the current burst. */
    private final Map<CommandId, Command> expected = new LinkedHashMap<>();

    private final Map<CommandId, LookedUp> lookedUp = new HashMap<>();
    private @Nullable Snapshot snapshot;
    private @Nullable ClusterAvailability availability;

    /** @param reclaims the running reclaims when it was taken; their claims hold as long as this snapshot is used */
    private record Snapshot(LiveCluster live, Set<Action.Reclaim> reclaims, Instant takenAt) {}

    /** Which of the attempts of some submissions exist, as looked up at that time. */
    private record LookedUp(Set<AttemptId> existing, Instant at) {}

    /** @param unavailable why the workload manager is not queried now; {@code null} if it answers */
    public LiveCommandValidator(
            final WorkloadManager wlm,
            final CommandValidator validator,
            final ActionAuthorization authorization,
            final Clock clock,
            final SiteTranslation site,
            final Supplier<@Nullable String> unavailable) {
        this.wlm = wlm;
        this.validator = validator;
        this.authorization = authorization;
        this.clock = clock;
        this.site = site;
        this.unavailable = unavailable;
    }

    /** Takes over what operators decided about the cluster. */
    void changed(final ClusterAvailability decided) {
        availability = decided;
    }

    /** Forces a new snapshot for the next burst of commands. */
    void discardSnapshot() {
        snapshot = null;
        lookedUp.clear();
    }

    /** The submissions of the next burst of commands. If there are several, one query finds out which of their attempts exist. */
    void expect(final List<Command> submissions) {
        expected.clear();
        if (submissions.size() > 1) {
            submissions.forEach(command -> expected.put(command.id(), command));
        }
    }

    /** Records a command that starts. The cores that a reclaim frees belong to its beneficiary until {@link #finished}. */
    void started(final Command command) {
        if (command.action() instanceof Action.Reclaim reclaim) {
            reclaims.put(command.id(), reclaim);
        }
    }

    /** The job in the snapshot that the last command was validated on; null if it is not in the queue. */
    @Nullable
    JobObserved lastSeen(final JobKey job) {
        final Snapshot last = snapshot;
        return last == null ? null : last.live().job(job);
    }

    /** Updates the snapshot with the expected effect of this action. */
    void applied(final Action action) {
        final Snapshot last = snapshot;
        if (last != null) {
            snapshot = new Snapshot(
                    AgentAction.of(action).after(last.live(), clock.instant()), last.reclaims(), last.takenAt());
        }
    }

    /** Records that a command has ended. */
    void finished(final CommandId command) {
        reclaims.remove(command);
    }

    /** Empty if the command may be executed. A failure during validation is a refusal, so that one bad command does not block the others. */
    Optional<Result.Refused> refusal(final Command command) {
        finished(command.id()); // it was not executed after an earlier validation, so it has no claim yet
        try {
            return validate(command);
        } catch (final RuntimeException e) {
            LOG.error("command {} could not be validated", command.id(), e);
            return Optional.of(
                    new Result.Refused(Refusal.STALE, "internal error while the agent validated the command: " + e));
        }
    }

    private Optional<Result.Refused> validate(final Command command) {
        return refusalAhead(command)
                .or(() -> AgentAction.of(command.action()).readsQueue() ? validateLive(command) : Optional.empty());
    }

    /** What can be said without the workload manager: whether the command may be executed at all. */
    Optional<Result.Refused> refusalAhead(final Command command) {
        final Instant now = clock.instant();
        return ClusterFence.refusal(availability, command.action())
                .or(() -> validator.validateStatic(command, now))
                .or(() -> authorization
                        .refusal(command.action(), now)
                        .map(reason -> new Result.Refused(Refusal.NOT_PERMITTED, reason)));
    }

    private Optional<Result.Refused> validateLive(final Command command) {
        final Answer<Snapshot> now = snapshot();
        final Answer<Set<AttemptId>> known = now.then(p -> known(command));
        if (now instanceof Answer.Ok<Snapshot> seen && known instanceof Answer.Ok<Set<AttemptId>> tags) {
            return locked(command.action(), seen.value().live())
                    .or(() -> validator.validateLive(
                            resolved(command, seen.value()),
                            seen.value().live(),
                            claimed(seen.value()),
                            tags.value()::contains));
        }
        final String reason = now instanceof Answer.Trouble<Snapshot> trouble
                ? trouble.reason()
                : ((Answer.Trouble<Set<AttemptId>>) known).reason();
        return Optional.of(new Result.Refused(Refusal.STALE, "the workload manager does not answer: " + reason));
    }

    /** S-6: a decision may be older than the lock. */
    private Optional<Result.Refused> locked(final Action action, final LiveCluster live) {
        return AgentAction.of(action)
                .startedJob()
                .flatMap(job -> Optional.ofNullable(live.job(job)))
                .flatMap(job -> authorization.refusalToStart(job.owner()))
                .map(veto -> new Result.Refused(Refusal.NOT_PERMITTED, veto.reason()));
    }

    /** The command as it is executed on the snapshot that it was validated on. */
    Command resolved(final Command command) {
        return snapshot == null ? command : resolved(command, snapshot);
    }

    private Command resolved(final Command command, final Snapshot seen) {
        return command.action() instanceof Action.Reclaim reclaim
                ? command.with(ReserveVictims.resolve(reclaim, seen.live(), claimed(seen)))
                : command;
    }

    /** Idle cores that belong to running reclaims, now or when the snapshot was taken. */
    private int claimed(final Snapshot seen) {
        final Set<Action.Reclaim> all = new HashSet<>(seen.reclaims());
        all.addAll(reclaims.values());
        return all.stream()
                .mapToInt(reclaim -> ReclaimClaim.of(reclaim, seen.live()))
                .sum();
    }

    private Answer<Snapshot> snapshot() {
        final Snapshot last = snapshot;
        final Instant now = clock.instant();
        if (last != null && last.takenAt().plus(FRESH).isAfter(now)) {
            return Answer.ok(last);
        }
        final String reason = unavailable.get();
        if (reason != null) {
            // The observer polls with back-off. A command neither waits for that nor uses an old snapshot.
            return Answer.trouble(Answer.Kind.DOWN, reason);
        }
        return AdapterCall.of("observation of the cluster", wlm::observe)
                .map(site::of)
                .map(this::snapshot);
    }

    private Snapshot snapshot(final Observation seen) {
        LiveCluster live = LiveCluster.of(seen.control(), seen.jobs(), seen.nodes());
        for (final Action.Reclaim reclaim : reclaims.values()) {
            live = AgentAction.of(reclaim).after(live, seen.at());
        }
        final Snapshot fresh = new Snapshot(live, Set.copyOf(reclaims.values()), seen.at());
        snapshot = fresh;
        return fresh;
    }

    /** Of the attempts that must be absent, those that exist. Each lookup is used once, and not longer than a snapshot. */
    private Answer<Set<AttemptId>> known(final Command command) {
        final LookedUp ahead = lookedUp.get(command.id());
        if ((ahead == null || !ahead.at().plus(FRESH).isAfter(clock.instant())) && expected.containsKey(command.id())) {
            lookUpExpected();
        }
        final LookedUp now = lookedUp.remove(command.id());
        return now == null ? existing(List.of(command)) : Answer.ok(now.existing());
    }

    /** If the query fails, each attempt is looked up separately, so that one failure does not affect the others. */
    private void lookUpExpected() {
        final Instant at = clock.instant();
        final List<Command> commands = List.copyOf(expected.values());
        lookedUp.clear();
        if (AdapterCall.of("lookup of attempts", () -> existing(commands))
                instanceof Answer.Ok<Set<AttemptId>> answer) {
            final LookedUp now = new LookedUp(answer.value(), at);
            commands.forEach(command -> lookedUp.put(command.id(), now));
        } else {
            expected.clear();
        }
    }

    private Answer<Set<AttemptId>> existing(final List<Command> commands) {
        final Map<AttemptId, UserName> owners = new HashMap<>();
        for (final Command command : commands) {
            for (final Precondition wanted : command.preconditions()) {
                if (!(wanted instanceof Precondition.AttemptAbsent absent)) {
                    continue;
                }
                if (!(command.action() instanceof Action.Submit submit)) {
                    return Answer.trouble(
                            Answer.Kind.REJECTED, "only a submission can require that no job carries a tag");
                }
                owners.put(absent.attempt(), site.names().account(submit.owner()));
            }
        }
        if (owners.isEmpty()) {
            return Answer.ok(Set.of());
        }
        return wlm.find(AttemptFinding.class) instanceof AttemptFinding finding
                ? finding.find(owners)
                        .map(found -> found.entrySet().stream()
                                .filter(attempt -> !attempt.getValue().isEmpty())
                                .map(Map.Entry::getKey)
                                .collect(Collectors.toSet()))
                : Answer.trouble(Answer.Kind.REJECTED, "this workload manager cannot find jobs by their tag");
    }
}
