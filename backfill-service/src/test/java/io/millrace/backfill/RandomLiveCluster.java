package io.millrace.backfill;

import io.millrace.decide.Changes;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** A live cluster with random events, and several planners that receive all of them. */
final class RandomLiveCluster {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final int NODES = 8;
    private static final int CORES_PER_NODE = 8;

    private static final JobDetail LICENSED = new JobDetail(
            null,
            null,
            List.of(),
            new Placement(List.of(), 0, false, List.of(), Map.of("matlab", 1)),
            false,
            true,
            null);

    private final Random random;
    private final Random obstacles;
    private final Random arrays;
    private final List<PlanStarts> planners;
    private final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
    private final Map<JobKey, Entitlement> covers = new HashMap<>();
    private final boolean withNodes;
    private Instant now = Instant.parse("2026-03-02T12:00:00Z");
    /** The jobs at the last revision. */
    private Map<JobKey, JobObserved> closed = Map.of();

    private Control control = Control.DIRECTED;
    private boolean answers = true;
    private boolean saves = true;
    private boolean calm;
    private int down;
    private int number;
    private int busyWhenClosed;
    private long revision;
    private long offset;

    RandomLiveCluster(final long seed, final int waiting, final List<PlanStarts> planners) {
        this.random = new Random(seed);
        this.obstacles = new Random(~seed);
        this.arrays = new Random(seed + 1_000_000);
        this.planners = planners;
        this.withNodes = random.nextBoolean();
        if (random.nextBoolean()) {
            limit(true);
        }
        for (int i = 0; i < waiting; i++) {
            arrives();
        }
        nodes();
        close();
    }

    Instant now() {
        return now;
    }

    private void hear(final Consumer<PlanStarts> news) {
        planners.forEach(news);
    }

    private boolean chance(final double p) {
        return random.nextDouble() < p;
    }

    /** Generates some random events, and sometimes closes a revision. */
    void happens() {
        calm ^= chance(0.15);
        if (calm) {
            happensInTheQueue();
        } else {
            happensAnywhere();
        }
        if (chance(0.8)) {
            nodes();
            close();
        }
    }

    /** Jobs arrive, leave and change places; none starts or ends. */
    private void happensInTheQueue() {
        now = now.plusSeconds(random.nextInt(60));
        for (int i = random.nextInt(4); i > 0; i--) {
            switch (random.nextInt(3)) {
                case 0 -> arrives();
                case 1 -> someWaiting(this::entitle);
                default -> someWaiting(this::ends);
            }
        }
    }

    private void happensAnywhere() {
        now = now.plusSeconds(chance(0.3) ? 0 : chance(0.8) ? random.nextInt(30) : random.nextInt(3000));
        for (int i = random.nextInt(4); i > 0; i--) {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> arrives();
                case 3 -> someJob(this::ends);
                case 4, 5 -> someJob(this::ended);
                case 6, 7 -> someJob(this::entitle);
                case 8 -> someJob(job -> classify(job.job()));
                case 9 -> someJob(this::changes);
                case 10 -> seldom();
                default ->
                    someJob(job ->
                            see(job.in(new JobState.Completing()), job.state().occupiesCores()));
            }
        }
    }

    private void seldom() {
        switch (random.nextInt(8)) {
            case 0 -> control = control == Control.DIRECTED ? Control.NATIVE : Control.DIRECTED;
            case 1 -> answers = !answers;
            case 2 -> saves = !saves;
            case 3 -> limit(chance(0.8));
            case 4, 5 -> down = random.nextInt(2);
            default -> {
                control = Control.DIRECTED;
                answers = true;
            }
        }
    }

    private void someJob(final Consumer<JobObserved> what) {
        if (!jobs.isEmpty()) {
            what.accept(List.copyOf(jobs.values()).get(random.nextInt(jobs.size())));
        }
    }

    private void someWaiting(final Consumer<JobObserved> what) {
        someJob(job -> {
            if (job.state().isWaiting()) {
                what.accept(job);
            }
        });
    }

    private void arrives() {
        final JobKey key =
                new JobKey(new JobId(ALPHA, Integer.toString(++number)), now.minusSeconds(random.nextInt(60)));
        final int cores = chance(0.1) ? 1 + random.nextInt(60) : 1 + random.nextInt(8);
        final boolean choosy = chance(0.1);
        see(
                new JobObserved(
                        key,
                        "j" + number,
                        UserName.of("u" + random.nextInt(5)),
                        null,
                        PartitionName.of(chance(0.3) ? "small" : "main"),
                        chance(0.05) ? new JobState.Held(HoldKind.USER) : new JobState.Held(HoldKind.ENTRY),
                        null,
                        new Resources(cores, chance(0.3) ? 1 + random.nextInt(2) : 0, choosy ? 1000 : 0, 0),
                        chance(0.1) ? null : Duration.ofMinutes(1 + random.nextInt(600)),
                        eligibility(),
                        null,
                        0,
                        0,
                        chance(0.5)
                                ? new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1))
                                : new CheckpointMethod.None(),
                        array(key, chance(0.1) ? LICENSED : JobDetail.NONE)),
                true);
        if (chance(0.9)) {
            entitle(jobs.get(key));
        }
    }

    /** Every sixth job is an array, some with a slot limit. */
    private JobDetail array(final JobKey key, final JobDetail detail) {
        if (arrays.nextInt(6) > 0) {
            return detail;
        }
        final int tasks = 1 + arrays.nextInt(12);
        return detail.with(new ArrayTasks(
                key.id().local(), "1-" + tasks, tasks, null, arrays.nextInt(3) == 0 ? 1 + arrays.nextInt(4) : null));
    }

    private Eligibility eligibility() {
        return switch (obstacles.nextInt(20)) {
            case 0 -> Eligibility.from(now.plusSeconds(obstacles.nextInt(3000)));
            case 1 -> Eligibility.not(Obstacle.values()[obstacles.nextInt(Obstacle.values().length)]);
            case 2 -> Eligibility.from(null);
            case 3 -> Eligibility.UNKNOWN;
            default -> Eligibility.since(now);
        };
    }

    /** Whether the job could start at this revision. */
    boolean couldStart(final JobKey job) {
        return closed.get(job).isStartable();
    }

    private void entitle(final JobObserved job) {
        final EntitlementLevel right = chance(0.1)
                ? EntitlementLevel.HELD
                : chance(0.2) ? EntitlementLevel.GUARANTEED : EntitlementLevel.BORROWED;
        final Entitlement entitlement = new Entitlement(job.job(), right, random.nextInt(3), "by chance")
                .withOtherPartitions(
                        chance(0.3) ? List.of(PartitionName.of("small"), PartitionName.of("main")) : List.of());
        final Entitlement covering = job.detail().array() == null || arrays.nextInt(8) == 0
                ? entitlement
                : entitlement.covering(
                        job.detail().array().first(1 + arrays.nextInt(12)).indices());
        hear(planner -> planner.entitled(job.job(), chanceless(job) ? null : covering));
        covers.put(job.job(), covering);
    }

    /** Whether its entitlement is removed; equal for all planners. */
    private boolean chanceless(final JobObserved job) {
        return (job.job().hashCode() + revision) % 17 == 0;
    }

    private void classify(final JobKey job) {
        final Classified classified = new Classified(job, List.of("c" + random.nextInt(3)), List.of());
        hear(planner -> planner.classified(classified));
    }

    private void see(final JobObserved job, final boolean really) {
        if (really) {
            jobs.put(job.job(), job);
            hear(planner -> planner.followed(ALPHA).observed(job));
        }
    }

    private void changes(final JobObserved job) {
        if (job.state().isWaiting()) {
            see(
                    job.in(chance(0.5) ? new JobState.Held(HoldKind.OPERATOR) : new JobState.Held(HoldKind.ENTRY))
                            .with(eligibility()),
                    true);
        } else if (job.state() instanceof JobState.Running) {
            see(job.in(new JobState.Held(HoldKind.ENTRY)), chance(0.5));
        }
    }

    private void ended(final JobObserved job) {
        if (job.state().occupiesCores()) {
            ends(job);
        }
    }

    private void ends(final JobObserved job) {
        jobs.remove(job.job());
        hear(planner -> planner.followed(ALPHA).gone(JobObserved.keyOf(job.job())));
        if (job.state() instanceof JobState.Running running) {
            final RunEnded end =
                    RunEnded.of(job, 1, running.startedAt(), now, new RunOutcome.Exited(0), 0, "by chance");
            hear(planner -> planner.ended(end));
        }
    }

    private void limit(final boolean open) {
        hear(planner -> planner.followed(ALPHA)
                .observed(new PartitionObserved(
                        ALPHA,
                        PartitionName.of("main"),
                        true,
                        true,
                        40,
                        null,
                        PartitionLimits.NONE,
                        Access.EVERYBODY)));
        final PartitionObserved small = new PartitionObserved(
                ALPHA,
                PartitionName.of("small"),
                open,
                false,
                8 + random.nextInt(16),
                Duration.ofHours(8),
                PartitionLimits.NONE,
                Access.EVERYBODY);
        hear(planner -> planner.followed(ALPHA).observed(small));
    }

    private int busy() {
        return jobs.values().stream()
                .filter(job -> job.state().occupiesCores())
                .mapToInt(job -> job.resources().cores())
                .sum();
    }

    private void nodes() {
        int busy = busy();
        for (int i = 0; withNodes && i < NODES; i++) {
            final int taken = Math.min(CORES_PER_NODE, busy);
            busy -= taken;
            final boolean isDown = i < down;
            final NodeObserved node = new NodeObserved(
                    ALPHA,
                    NodeName.of("n" + i),
                    isDown ? Availability.DOWN : Availability.UP,
                    new Resources(CORES_PER_NODE, 0, 4000, 0),
                    new Resources(isDown ? 0 : CORES_PER_NODE - taken, 0, 4000 - 500L * taken, 0),
                    null,
                    List.of(),
                    List.of());
            hear(planner -> planner.followed(ALPHA).observed(node));
        }
    }

    private void close() {
        closed = Map.copyOf(jobs);
        busyWhenClosed = busy();
        final RevisionClosed marker = new RevisionClosed(
                ALPHA,
                ++revision,
                now,
                answers ? new WlmHealth.Answering() : new WlmHealth.Stale(now.minusSeconds(5), "no answer"),
                control,
                "local",
                Resources.cores(NODES * CORES_PER_NODE),
                Resources.cores(Math.max(0, (NODES - down) * CORES_PER_NODE - busy())),
                saves
                        ? Set.of(
                                Capability.START,
                                Capability.START_TASKS,
                                Capability.CHECKPOINT,
                                Capability.MOVE,
                                Capability.MOVE_TASKS)
                        : Set.of(Capability.START, Capability.START_TASKS),
                offset,
                null,
                null,
                Map.of());
        hear(planner -> planner.followed(ALPHA).observed(marker));
    }

    /** Passes the decisions to all planners and executes most of them. */
    void carryOut(final Changes changes) {
        for (final Event event : changes.events()) {
            if (event instanceof Command command) {
                final long at = offset++;
                hear(planner -> planner.followed(ALPHA).issued(command, at));
                if (chance(0.9)) {
                    answer(command);
                }
            }
        }
    }

    private void answer(final Command command) {
        final boolean done = chance(0.8);
        final Result result = done
                ? new Result.Done(null, "done")
                : chance(0.5) ? new Result.Refused(Refusal.STALE, "too late") : new Result.Failed("broken");
        final Result answer = done && command.action() instanceof Action.Start start && start.tasks() != null
                ? Result.Done.started(someOf(start.tasks()), "started")
                : result;
        final Outcome outcome = command.outcome(answer, now);
        hear(planner -> planner.followed(ALPHA).answered(outcome));
        if (done && chance(0.9)) {
            if (answer instanceof Result.Done started && started.tasks() != null) {
                takeTasks(command.action().subject(), started.tasks());
            } else {
                take(command.action());
            }
        }
    }

    /** All tasks, or the first of them: the others were not started. */
    private String someOf(final String tasks) {
        return arrays.nextInt(4) == 0
                ? ArrayIndices.first(tasks, 1 + arrays.nextInt(ArrayIndices.count(tasks)))
                : tasks;
    }

    /** The tasks leave the record of the array: most run, some wait on their own until the next pass of the scheduler. */
    private void takeTasks(final String array, final String tasks) {
        final JobObserved job = jobs.get(JobKey.of(array));
        if (job == null || !job.state().isWaiting()) {
            return;
        }
        final BitSet left = new BitSet();
        ArrayIndices.read(job.detail().array().indices()).forEach(left::set);
        ArrayIndices.read(tasks).filter(left::get).boxed().toList().forEach(index -> {
            left.clear(index);
            seeTask(job, Integer.toString(index));
        });
        if (left.isEmpty()) {
            ends(job);
        } else {
            see(
                    job.with(job.detail()
                            .with(job.detail()
                                    .array()
                                    .only(ArrayIndices.write(
                                            left.stream().boxed().toList())))),
                    true);
        }
    }

    private void seeTask(final JobObserved array, final String index) {
        final JobKey key = new JobKey(
                new JobId(ALPHA, array.job().id().local() + "_" + index),
                array.job().submittedAt());
        final JobState state = arrays.nextInt(4) == 0 ? new JobState.Queued() : new JobState.Running(now, List.of());
        see(
                new JobObserved(
                        key,
                        array.name(),
                        array.owner(),
                        null,
                        array.partition(),
                        state,
                        null,
                        array.resources(),
                        array.walltime(),
                        array.eligibility(),
                        null,
                        0,
                        0,
                        array.checkpoint(),
                        array.detail().with(array.detail().array().only(index))),
                true);
        entitle(jobs.get(key));
    }

    /** Whether a decision starts only tasks that wait, are covered by the entitlement and have a slot. */
    boolean mayStart(final Action.Start start) {
        final JobObserved job = closed.get(start.job());
        if (start.tasks() == null) {
            return true;
        }
        final ArrayTasks array = job.detail().array();
        final String covered = covers.get(start.job()).tasks();
        return (array.freeSlots() == null || start.count() <= array.freeSlots())
                && ArrayIndices.read(start.tasks())
                        .mapToObj(Integer::toString)
                        .allMatch(index ->
                                ArrayIndices.contains(array.indices(), index) && ArrayIndices.contains(covered, index));
    }

    /** Cores that the starts of a decision take. */
    int cores(final List<Action.Start> starts) {
        return starts.stream()
                .mapToInt(start ->
                        start.count() * closed.get(start.job()).resources().cores())
                .sum();
    }

    int idleCores() {
        return Math.max(0, (NODES - down) * CORES_PER_NODE - busyWhenClosed);
    }

    private void take(final Action action) {
        switch (action) {
            case Action.Start start -> {
                move(start);
                become(start.job(), new JobState.Running(now, List.of()));
            }
            case Action.Checkpoint cut -> become(cut.job(), new JobState.Held(HoldKind.ENTRY));
            case Action.Requeue cut -> become(cut.job(), new JobState.Held(HoldKind.ENTRY));
            default -> throw new IllegalArgumentException(action + " is none of backfill's");
        }
    }

    private void move(final Action.Start start) {
        final JobObserved job = jobs.get(start.job());
        if (job != null && start.partition() != null) {
            see(job.in(start.partition()), true);
        }
    }

    private void become(final JobKey key, final JobState state) {
        final JobObserved job = jobs.get(key);
        if (job != null) {
            see(job.in(state), true);
        }
    }
}
