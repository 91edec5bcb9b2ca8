package io.millrace.agent;

import io.millrace.agent.domain.Answered;
import io.millrace.agent.domain.Claim;
import io.millrace.agent.domain.Included;
import io.millrace.agent.domain.Judge;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.Verdict;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Finding;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes commands in their order: judges each on the live cluster, commits {@code Begun}, acts, commits the answer. A decision that was begun
 * or answered in any life of this agent is never carried out again; one that was begun and not answered is looked at.
 */
final class CarryOutCommands {

    private static final Logger LOG = LoggerFactory.getLogger(CarryOutCommands.class);

    /** One query serves a burst of commands for so long. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    /** A scheduler may take a pass or two until a job that it was told to start runs; so long no picture counts as including it. */
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(30);

    private final WorkloadManager wlm;
    private final Judge judge;
    private final Actions actions;
    private final Permits permits;
    private final Background background;
    private final Included included;
    private final AgentLog log;
    private final Clock clock;
    private final Counts counts;
    private final SiteView site;
    private final Supplier<@Nullable String> silence;
    private final Map<CommandId, Instant> begun = new HashMap<>();
    private final Answered answered = new Answered();
    private final Map<CommandId, Action.Reclaim> reclaims = new HashMap<>();
    private final Map<CommandId, Start> startsToBeSeen = new HashMap<>();
    private @Nullable Picture picture;

    private record Start(JobKey job, Instant atTheLatest) {}

    /** @param reclaims those under way when it was taken: their claim holds as long as this picture is used */
    private record Picture(LiveCluster live, Set<Action.Reclaim> reclaims, Instant takenAt) {}

    CarryOutCommands(
            final WorkloadManager wlm,
            final Judge judge,
            final Actions actions,
            final Permits permits,
            final Background background,
            final Included included,
            final AgentLog log,
            final Clock clock,
            final Counts counts,
            final SiteView site,
            final Supplier<@Nullable String> silence) {
        this.wlm = wlm;
        this.judge = judge;
        this.actions = actions;
        this.permits = permits;
        this.background = background;
        this.included = included;
        this.log = log;
        this.clock = clock;
        this.counts = counts;
        this.site = site;
        this.silence = silence;
    }

    /** Takes up what stands on the log. */
    void resume(final Map<CommandId, Instant> begunEver, final Answered answeredEver) {
        begun.putAll(begunEver);
        answered.addAll(answeredEver);
        background.finished().stream()
                .filter(result -> answered.covers(result.command()))
                .forEach(this::close);
    }

    /** Commits the results of long commands; returns whether there were any. */
    boolean answerFinished() {
        final List<Background.Finished> results = background.finished();
        for (final Background.Finished result : results) {
            answer(result.command(), result.result());
            close(result);
        }
        return !results.isEmpty();
    }

    private void close(final Background.Finished result) {
        background.said(result);
        reclaims.remove(result.command().id());
        included.close(result.command().id());
    }

    /** Takes a burst; returns whether anything was done to the queue. */
    boolean take(final List<AgentLog.Incoming> burst) {
        picture = null;
        boolean acted = false;
        for (final AgentLog.Incoming in : burst) {
            switch (in) {
                case AgentLog.Incoming.Order order -> {
                    acted |= take(order);
                    included.readUpTo(order.next());
                }
                case AgentLog.Incoming.NotUnderstood poison -> {
                    if (!answered.contains(poison.refusal().command())) {
                        say(poison.refusal());
                    }
                    included.readUpTo(poison.next());
                }
                case AgentLog.Incoming.Passed passed -> included.readUpTo(passed.next());
                case AgentLog.Incoming.SignOfLife s -> {}
            }
        }
        return acted;
    }

    private boolean take(final AgentLog.Incoming.Order order) {
        final Command command = order.command();
        if (command.action() instanceof Action.Submit submit) {
            site.learn(submit);
        }
        if (background.isRunning(command.id())) {
            return false;
        }
        if (answered.covers(command)) {
            if (!startsToBeSeen.containsKey(command.id())) {
                included.close(command.id());
            }
            return false;
        }
        final Instant since = begun.get(command.id());
        if (since != null) {
            LOG.warn("{} was begun at {} and never answered: looking what became of it", command.id(), since);
            open(order);
            background.start(command, () -> actions.look(command, since));
            return false;
        }
        final Optional<Result> refused = judged(command);
        if (refused.isPresent()) {
            answer(command, refused.get());
            return false;
        }
        begin(command);
        open(order);
        return act(command);
    }

    private void open(final AgentLog.Incoming.Order order) {
        if (Judge.concernsTheQueue(order.command().action())) {
            included.open(order.command().id(), order.offset());
        }
    }

    /** Up to which command this observation, taken after the last of them was handled, shows the effects. */
    long includedIn(final Observation seen) {
        final Set<JobKey> waiting = seen.jobs().stream()
                .filter(job -> job.state().isWaiting())
                .map(JobObserved::job)
                .collect(Collectors.toSet());
        startsToBeSeen.entrySet().removeIf(start -> {
            final boolean seenOrGivenUp = !waiting.contains(start.getValue().job())
                    || start.getValue().atTheLatest().isBefore(seen.at());
            if (seenOrGivenUp) {
                included.close(start.getKey());
            }
            return seenOrGivenUp;
        });
        return included.offset();
    }

    /** A command that cannot even be judged is refused: one bad command must not keep the others from being heard. */
    private Optional<Result> judged(final Command command) {
        try {
            return refusal(command);
        } catch (final RuntimeException e) {
            LOG.error("{} cannot be judged", command.id(), e);
            return Optional.of(new Result.Refused(Refusal.STALE, "the agent could not judge it: " + e));
        }
    }

    private Optional<Result> refusal(final Command command) {
        final Optional<Result> face = refused(judge.onItsFace(command, clock.instant()));
        if (face.isPresent()) {
            return face;
        }
        final Optional<String> denied = permits.refusal(command.action(), clock.instant());
        if (denied.isPresent()) {
            return Optional.of(new Result.Refused(Refusal.NOT_PERMITTED, denied.get()));
        }
        return Judge.concernsTheQueue(command.action()) ? refusalOnTheCluster(command) : Optional.empty();
    }

    private Optional<Result> refusalOnTheCluster(final Command command) {
        final Answer<Picture> now = picture();
        final Answer<Set<AttemptId>> known = now.then(p -> known(command));
        if (now instanceof Answer.Ok<Picture> seen && known instanceof Answer.Ok<Set<AttemptId>> tags) {
            return refused(
                    judge.onTheCluster(command, seen.value().live(), claimed(seen.value()), tags.value()::contains));
        }
        final String because = now instanceof Answer.Trouble<Picture> trouble
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
    private int claimed(final Picture seen) {
        final Set<Action.Reclaim> all = new HashSet<>(seen.reclaims());
        all.addAll(reclaims.values());
        return all.stream().mapToInt(reclaim -> Claim.of(reclaim, seen.live())).sum();
    }

    private Answer<Picture> picture() {
        final Picture last = picture;
        final Instant now = clock.instant();
        if (last != null && last.takenAt().plus(FRESH).isAfter(now)) {
            return Answer.ok(last);
        }
        final String silent = silence.get();
        if (silent != null) {
            // It is asked again in its time; a command neither waits for that nor is carried out on what was seen
            // before.
            return Answer.trouble(Answer.Kind.DOWN, silent);
        }
        return Answers.of("the look at the cluster", wlm::observe).map(site::of).map(this::picture);
    }

    private Picture picture(final Observation seen) {
        final LiveCluster live = LiveCluster.of(seen.control(), seen.jobs(), seen.nodes());
        final Picture fresh = new Picture(live, Set.copyOf(reclaims.values()), seen.at());
        picture = fresh;
        return fresh;
    }

    /** Of the attempts that must be absent, those that are there. */
    private Answer<Set<AttemptId>> known(final Command command) {
        final Set<AttemptId> there = new HashSet<>();
        for (final Precondition wanted : command.preconditions()) {
            if (!(wanted instanceof Precondition.AttemptAbsent absent)) {
                continue;
            }
            if (!(wlm instanceof Finding finding)) {
                return Answer.trouble(Answer.Kind.REJECTED, "it cannot find jobs by their tag");
            }
            switch (finding.find(absent.attempt())) {
                case Answer.Trouble<List<Finding.Found>> trouble -> {
                    return trouble.of();
                }
                case Answer.Ok<List<Finding.Found>> found -> {
                    if (!found.value().isEmpty()) {
                        there.add(absent.attempt());
                    }
                }
            }
        }
        return Answer.ok(there);
    }

    private void begin(final Command command) {
        final Instant now = clock.instant();
        say(outcome(command, now, new Result.Begun()));
        begun.put(command.id(), now);
    }

    private boolean act(final Command command) {
        if (command.action() instanceof Action.Reclaim reclaim) {
            reclaims.put(command.id(), reclaim);
        }
        final Optional<Background.Work> longWork = actions.longWork(command);
        if (longWork.isPresent()) {
            background.start(command, longWork.get());
        } else {
            final Instant since = begun.getOrDefault(command.id(), clock.instant());
            final Optional<Result> result = atOnce(command);
            if (result.isEmpty()) {
                LOG.warn(
                        "{}: the workload manager's answer does not tell whether it took effect; looking",
                        command.id());
                background.start(command, () -> actions.look(command, since));
                return true;
            }
            answer(command, result.get());
            if (command.action() instanceof Action.Start start && result.get() instanceof Result.Done) {
                startsToBeSeen.put(
                        command.id(), new Start(start.job(), clock.instant().plus(SEEN_WITHIN)));
            } else {
                included.close(command.id());
            }
        }
        final Picture last = picture;
        if (last != null) {
            picture =
                    new Picture(last.live().after(command.action(), clock.instant()), last.reclaims(), last.takenAt());
        }
        return Judge.concernsTheQueue(command.action());
    }

    private Optional<Result> atOnce(final Command command) {
        try {
            return actions.atOnce(command.action());
        } catch (final RuntimeException e) {
            LOG.error("{} broke off", command.id(), e);
            return Optional.empty();
        }
    }

    private void answer(final Command command, final Result result) {
        say(outcome(command, clock.instant(), result));
        begun.remove(command.id());
        actions.answered(command, result);
    }

    private void say(final Outcome outcome) {
        log.commit(List.of(new AgentLog.Entry.Put(outcome)));
        counts.outcome(outcome);
        if (outcome.isAnswer()) {
            answered.add(outcome.command(), outcome.at());
        }
        LOG.info("{} {}", outcome.command(), outcome.result());
    }

    private static Outcome outcome(final Command command, final Instant at, final Result result) {
        return new Outcome(
                command.id(),
                command.cluster(),
                command.issuer(),
                command.action().name(),
                command.action().subject(),
                at,
                result);
    }
}
