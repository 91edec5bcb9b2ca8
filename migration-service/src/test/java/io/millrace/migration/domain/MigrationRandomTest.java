package io.millrace.migration.domain;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.TransferState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random orders of submissions, stops, answers, duplicates, ends, silences and restarts; the seed is the test's name. */
class MigrationRandomTest {

    private static final int STEPS = 250;
    private static final List<ClusterId> ORDER = List.of(GAMMA, BETA);

    static LongStream seeds() {
        final Long only = Long.getLong("millrace.seed");
        return only == null ? LongStream.range(0, 100) : LongStream.of(only);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatever_happens_no_job_lives_twice_and_all_come_to_an_end(final long seed) {
        new Run(seed).play();
    }

    private static final class Run {

        private final Random random;
        private final World world;
        private final List<Samples> samples = new ArrayList<>();
        private final int atATime;
        private int checked;
        private final Map<GlobalJobId, GlobalJob> latest = new HashMap<>();
        private final Map<String, Command> issued = new HashMap<>();
        private final Set<ClusterId> fenced = new HashSet<>();
        private final Set<String> answered = new HashSet<>();

        Run(final long seed) {
            random = new Random(seed);
            atATime = 1 + random.nextInt(3);
            world = new World(Policies.queueing(Duration.ofSeconds(30), ORDER.toArray(ClusterId[]::new))
                    .withLimits(limits()));
            world.cluster(ALPHA, 8);
            world.cluster(BETA, 16);
            world.cluster(GAMMA, 32);
        }

        /** In half of the worlds none. */
        private InFlightLimits limits() {
            return random.nextBoolean()
                    ? InFlightLimits.NONE
                    : new InFlightLimits(
                            random.nextBoolean() ? 1 + random.nextInt(6) : null,
                            random.nextBoolean() ? 1 + random.nextInt(4) : null,
                            random.nextBoolean() ? 1 + random.nextInt(3) : null);
        }

        void play() {
            misbehave();
            for (int step = 0; step < STEPS; step++) {
                something();
                check();
            }
            behave();
            samples.forEach(sample -> world.say(sample.release(world.now)));
            world.clusters.keySet().forEach(id -> world.say(Samples.availability(id, Status.OPEN, world.now)));
            for (int round = 0; round < 100 || round < 500 && !haveEnded(); round++) {
                world.pass(Duration.ofSeconds(30));
                world.settle();
                check();
                world.clusters.values().forEach(this::endSomething);
            }
            world.settle();
            check();
            samples.forEach(sample -> assertThat(world.state(sample).isFinal())
                    .as("%s is %s", sample.id(), world.state(sample))
                    .isTrue());
            world.clusters
                    .values()
                    .forEach(cluster -> assertThat(cluster.jobs())
                            .as("left on " + cluster.id)
                            .isEmpty());
        }

        private boolean haveEnded() {
            return samples.stream().allMatch(sample -> world.state(sample).isFinal());
        }

        private void something() {
            final ScriptedCluster cluster = any(List.copyOf(world.clusters.values()));
            switch (random.nextInt(19)) {
                case 0, 1 -> submit();
                case 2 -> stop();
                case 3, 4, 5 -> cluster.work();
                case 6 -> world.transfers.work();
                case 7 -> world.pass(Duration.ofSeconds(random.nextInt(random.nextInt(8) == 0 ? 9000 : 40)));
                case 8 -> endSomething(cluster);
                case 9 -> cluster.silent = random.nextInt(3) == 0;
                case 10 -> world.restart();
                case 11 -> repeatSomething();
                case 12 -> world.transfers.paused = random.nextBoolean();
                case 13, 14 -> holdOrRelease();
                case 15 -> drainFenceOrUndrain(cluster);
                case 16 -> predictStarts(cluster);
                case 17 -> preempt(cluster);
                default -> world.decide();
            }
            if (random.nextBoolean()) {
                world.decide();
            }
        }

        private void submit() {
            if (samples.size() >= 15) {
                return;
            }
            Samples sample = job("" + "ABCDEFGHJKMNPQR".charAt(samples.size()))
                    .cores(1 + random.nextInt(random.nextInt(10) == 0 ? 40 : 16))
                    .from(any(List.copyOf(world.clusters.keySet())));
            if (random.nextBoolean()) {
                sample = sample.saving(new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1)));
            }
            if (random.nextBoolean()) {
                sample = sample.withMake();
            }
            if (random.nextInt(4) == 0) {
                sample = sample.pinnedTo(any(List.copyOf(world.clusters.keySet())));
            }
            sample = random.nextInt(3) == 0 ? sample.inBatch(15, atATime) : sample;
            if (!samples.isEmpty() && random.nextInt(3) == 0) {
                sample = sample.after(dependency());
            }
            samples.add(sample);
            final JobSubmitted submission = sample.submitted(world.now);
            world.say(
                    random.nextBoolean()
                            ? submission
                            : submission.withSpec(submission.spec().altered("nightly", null)));
            world.decide();
        }

        private JobDependency dependency() {
            return new JobDependency(
                    random.nextBoolean(),
                    Stream.generate(() -> condition(any(List.of(JobDependency.End.values()))))
                            .limit(1 + random.nextInt(2))
                            .toList());
        }

        private JobDependency.Condition condition(final JobDependency.End end) {
            return end == JobDependency.End.SINGLETON
                    ? JobDependency.Condition.singleton()
                    : any(samples).ends(end);
        }

        private void stop() {
            if (!samples.isEmpty()) {
                world.say(any(samples).stop(world.now));
            }
        }

        private void holdOrRelease() {
            if (!samples.isEmpty()) {
                final Samples sample = any(samples);
                world.say(random.nextBoolean() ? sample.hold(Samples.ANNA, world.now) : sample.release(world.now));
            }
        }

        /** Jobs of others take the cores of those that were preempted. */
        private void preempt(final ScriptedCluster cluster) {
            final List<JobObserved> running = cluster.jobs().stream()
                    .filter(job -> job.attempt() != null && job.state() instanceof JobState.Running)
                    .toList();
            if (!cluster.silent && !running.isEmpty()) {
                running.forEach(job -> cluster.requeue(job.job()));
                cluster.occupy(cluster.idle());
                cluster.observe();
                predictStarts(cluster);
            }
        }

        /** The plan of a cluster predicts when its waiting jobs start; some move then. */
        private void predictStarts(final ScriptedCluster cluster) {
            cluster.jobs().stream()
                    .filter(job -> job.state().isWaiting())
                    .forEach(job -> world.say(new Plan(
                            job.job(),
                            Issuer.BACKFILL,
                            world.now.plusSeconds(random.nextInt(20_000)),
                            1,
                            "behind others",
                            List.of())));
        }

        private void drainFenceOrUndrain(final ScriptedCluster cluster) {
            final Status wanted = any(List.of(Status.DRAINED, Status.FENCED, Status.OPEN, Status.OPEN));
            world.say(Samples.availability(cluster.id, wanted, world.now));
        }

        /** A record handed over twice changes nothing. */
        private void repeatSomething() {
            final World.Entry entry = any(world.log);
            if (entry.event() instanceof Outcome || entry.event() instanceof RunEnded) {
                world.log.add(entry);
            }
        }

        private void endSomething(final ScriptedCluster cluster) {
            final List<JobObserved> running = cluster.jobs().stream()
                    .filter(job -> job.state() instanceof JobState.Running)
                    .toList();
            if (cluster.silent || running.isEmpty()) {
                return;
            }
            final JobKey key = any(running).job();
            switch (random.nextInt(8)) {
                case 0 -> cluster.requeue(key);
                case 1 -> cluster.end(key, new RunOutcome.Unknown("accounting is down"));
                case 2 -> cluster.end(key, new RunOutcome.Cancelled());
                default -> cluster.end(key, new RunOutcome.Exited(random.nextInt(2)));
            }
        }

        private void misbehave() {
            world.clusters.values().forEach(cluster -> {
                cluster.script = command -> mishap(cluster, command);
                cluster.copies = command -> random.nextInt(6) == 0 ? 2 : 1;
            });
            world.transfers.ending = id -> switch (random.nextInt(8)) {
                case 0 -> new TransferState.Failed("rsync: connection reset");
                case 1 -> new TransferState.Planned(1, "no space left", VetoCode.DISK_FULL.code());
                default -> new TransferState.Verified("ok");
            };
        }

        private Optional<Result> mishap(final ScriptedCluster cluster, final Command command) {
            return switch (random.nextInt(12)) {
                case 0 -> Optional.of(new Result.Failed("timed out"));
                case 1 -> Optional.of(new Result.Refused(Refusal.EXPIRED, "late"));
                case 2 -> {
                    if (command.action() instanceof Action.Submit submit && random.nextBoolean()) {
                        cluster.submit(command, submit);
                    }
                    yield Optional.of(new Result.Unclear("killed in between"));
                }
                case 3 ->
                    random.nextInt(4) == 0
                            ? Optional.of(new Result.Refused(Refusal.NOT_PERMITTED, "no"))
                            : Optional.empty();
                default -> Optional.empty();
            };
        }

        private void behave() {
            world.transfers.paused = false;
            world.transfers.ending = id -> new TransferState.Verified("ok");
            world.clusters.values().forEach(cluster -> {
                cluster.silent = false;
                cluster.script = command -> Optional.empty();
                cluster.copies = command -> 1;
            });
        }

        private <T> T any(final List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private void check() {
            for (; checked < world.log.size(); checked++) {
                switch (world.log.get(checked).event()) {
                    case GlobalJob job -> checkNext(job);
                    case Command command -> checkCommand(command);
                    case Outcome outcome
                    when outcome.isAnswer() -> answered.add(outcome.command().value());
                    case ClusterAvailability decided -> checkReturn(decided);
                    case null, default -> {}
                }
            }
            checkNobodyRunsTwice();
        }

        private void checkNext(final GlobalJob job) {
            final GlobalJob before = latest.get(job.id());
            assertThat(job.version()).isEqualTo(before == null ? 1 : before.version() + 1);
            if (before != null) {
                assertThat(before.state().isFinal())
                        .as("%s then %s", before, job)
                        .isFalse();
                for (int i = 0; i < before.attempts().size(); i++) {
                    final Attempt old = before.attempts().get(i);
                    if (old.endedAt() != null) {
                        assertThat(job.attempts().get(i)).isEqualTo(old);
                    }
                    if (old.localJob() != null) {
                        assertThat(job.attempts().get(i).localJob()).isEqualTo(old.localJob());
                    }
                }
            }
            assertThat(job.attempts().stream()
                            .filter(attempt -> attempt.hasEnded(AttemptEnd.Cause.MOVED))
                            .count())
                    .as("moves of %s", job)
                    .isLessThanOrEqualTo(world.policy.moves().max());
            assertThat(job.attempts().stream().filter(a -> a.endedAt() == null).count())
                    .as("live attempts of %s", job)
                    .isLessThanOrEqualTo(job.state().isFinal() ? 0 : 1);
            latest.put(job.id(), job);
            if (before != null && before.state() instanceof Waiting && isPlaced(job)) {
                checkDependency(job);
                checkLimits(job);
            }
        }

        private void checkDependency(final GlobalJob job) {
            final JobDependency dependency = job.submission().dependency();
            if (dependency != null) {
                final Stream<JobDependency.Condition> conditions = dependency.conditions().stream();
                assertThat(
                                dependency.all()
                                        ? conditions.allMatch(c -> holds(job, c))
                                        : conditions.anyMatch(c -> holds(job, c)))
                        .as("%s was placed", job)
                        .isTrue();
            }
        }

        private boolean holds(final GlobalJob job, final JobDependency.Condition condition) {
            if (condition.end() == JobDependency.End.SINGLETON) {
                return latest.values().stream().noneMatch(other -> precedes(other, job));
            }
            final GlobalJob other = latest.get(condition.job());
            if (condition.end() == JobDependency.End.STARTED) {
                return other.state().isFinal() || !other.attempts().isEmpty();
            }
            final GlobalJobState state = other.state();
            final boolean ok = state.equals(new GlobalJobState.End(new RunOutcome.Exited(0)));
            return state.isFinal()
                    && switch (condition.end()) {
                        case OK -> ok;
                        case NOT_OK -> !ok;
                        case ANY -> true;
                        case STARTED, SINGLETON -> throw new IllegalArgumentException("checked above");
                    };
        }

        /** Whether a singleton waits for the other job. */
        private static boolean precedes(final GlobalJob other, final GlobalJob singleton) {
            return !other.id().equals(singleton.id())
                    && other.submission()
                            .spec()
                            .name()
                            .equals(singleton.submission().spec().name())
                    && (isPlaced(other)
                            || other.state() instanceof Waiting && other.id().compareTo(singleton.id()) < 0);
        }

        private static boolean isPlaced(final GlobalJob job) {
            return !job.state().isFinal() && !(job.state() instanceof Waiting);
        }

        private void checkLimits(final GlobalJob job) {
            final InFlightLimits limits = world.policy.limits();
            final ClusterId target = Objects.requireNonNull(job.attempt()).cluster();
            final ClusterId source = job.submission().source();
            checkLimit(limits.perUser(), placed -> true);
            checkLimit(
                    limits.perCluster(),
                    placed -> target.equals(placed.attempt().cluster()));
            checkLimit(
                    source.equals(target) ? null : limits.perLink(),
                    placed -> target.equals(placed.attempt().cluster())
                            && source.equals(placed.submission().source()));
            final BatchMember member = job.submission().batch();
            if (member != null) {
                checkLimit(member.maxConcurrent(), placed -> placed.submission().batch() != null);
            }
        }

        private void checkLimit(final @Nullable Integer limit, final Predicate<GlobalJob> which) {
            if (limit != null) {
                assertThat(latest.values().stream()
                                .filter(Run::isPlaced)
                                .filter(which)
                                .count())
                        .isLessThanOrEqualTo(limit);
            }
        }

        /** What was replaced while the cluster was fenced is gone when it is in service again. */
        private void checkReturn(final ClusterAvailability decided) {
            if (decided.status().isFenced()) {
                fenced.add(decided.cluster());
            } else {
                fenced.remove(decided.cluster());
            }
        }

        /** The same id is given again only if it expired without an answer. */
        private void checkCommand(final Command command) {
            final Command before = issued.put(command.id().value(), command);
            if (before != null && !before.equals(command)) {
                assertThat(before.validUntil()).as("again: %s", command.id()).isBefore(command.issuedAt());
            }
        }

        private void checkNobodyRunsTwice() {
            final Map<GlobalJobId, List<JobKey>> loose = new HashMap<>();
            for (final ScriptedCluster cluster : world.clusters.values()) {
                for (final JobObserved job : cluster.jobs()) {
                    if (!fenced.contains(cluster.id)
                            && job.attempt() != null
                            && !job.state().equals(new JobState.Held(HoldKind.SUBMISSION))) {
                        loose.computeIfAbsent(job.attempt().job(), id -> new ArrayList<>())
                                .add(job.job());
                    }
                }
            }
            loose.forEach(
                    (id, jobs) -> assertThat(jobs).as("not held, of %s", id).hasSize(1));
        }
    }
}
