package io.millrace.migration.domain;

import static io.millrace.migration.domain.Samples.ANNA;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.ClusterAvailability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cluster of so many cores under native control, with an agent that keeps its promises unless a script says otherwise. */
public final class ScriptedCluster {

    private static final PartitionName MAIN = PartitionName.of("main");

    private final World world;
    public final ClusterId id;
    private final int cores;
    private final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
    private final Map<JobKey, JobObserved> published = new LinkedHashMap<>();
    private final Set<AttemptId> everTagged = new HashSet<>();
    private final Set<Object> handled = new HashSet<>();
    private int read;
    private int numbers;
    private long revision;
    public boolean silent;
    public boolean takesGuests = true;
    public boolean stale;
    public Duration walltimeLimit;
    public PartitionLimits limits = PartitionLimits.NONE;
    public Access access = Access.EVERYBODY;
    /** Memory and GPUs of the cluster. */
    public Resources beside = Resources.NONE;
    /** Answers instead of carrying out; empty lets the agent do its work. */
    public Function<Command, Optional<Result>> script = command -> Optional.empty();
    /** After how many effects a submit is repeated by mistake: it makes two jobs. */
    public Function<Command, Integer> copies = command -> 1;

    public ScriptedCluster(final World world, final ClusterId id, final int cores) {
        this.world = world;
        this.id = id;
        this.cores = cores;
    }

    /** Fills cores with somebody else's job. */
    public JobKey occupy(final int n) {
        final JobKey key = newKey();
        jobs.put(key, observed(key, null, Resources.cores(n), new JobState.Running(world.now, List.of())));
        return key;
    }

    /** Somebody else's job that waits. */
    public JobKey queue(final int n) {
        final JobKey key = newKey();
        jobs.put(key, observed(key, null, Resources.cores(n), new JobState.Queued()));
        return key;
    }

    /** The last decision of an operator that its agent has read; a returning agent reads it before any command. */
    private boolean isFenced() {
        final List<ClusterAvailability> decided = world.events(
                ClusterAvailability.class, decision -> decision.cluster().equals(id));
        return !decided.isEmpty() && decided.getLast().status().isFenced();
    }

    public void work() {
        if (silent) {
            return;
        }
        for (; read < world.log.size(); read++) {
            if (world.log.get(read).event() instanceof Command command
                    && command.cluster().equals(id)) {
                handle(command);
            }
        }
        startWhatFits();
        observe();
    }

    private void handle(final Command command) {
        if (!handled.add(command.id())) {
            return;
        }
        if (command.validUntil().isBefore(world.now)) {
            answer(command, new Result.Refused(Refusal.EXPIRED, "valid until " + command.validUntil()));
            return;
        }
        if (isFenced() && !(command.action() instanceof Action.Cancel)) {
            answer(command, new Result.Refused(Refusal.STALE, "fenced"));
            return;
        }
        final Optional<Result> scripted = script.apply(command);
        if (scripted.isPresent()) {
            answer(command, scripted.get());
            return;
        }
        answer(command, new Result.Begun());
        answer(command, carryOut(command));
    }

    private Result carryOut(final Command command) {
        return switch (command.action()) {
            case Action.Make make -> new Result.Done(null, "exit code 0");
            case Action.Submit submit -> submit(command, submit);
            case Action.Release release -> release(release.job());
            case Action.Hold hold -> hold(hold.job());
            case Action.Cancel cancel -> cancel(command, cancel.job());
            default -> new Result.Refused(Refusal.UNSUPPORTED, command.action().name());
        };
    }

    public Result submit(final Command command, final Action.Submit submit) {
        if (!everTagged.add(submit.attempt())) {
            return new Result.Refused(Refusal.STALE, "a job with the tag " + submit.attempt() + " exists");
        }
        JobKey first = null;
        for (int i = 0; i < copies.apply(command); i++) {
            final JobKey key = newKey();
            first = first == null ? key : first;
            jobs.put(
                    key,
                    observed(key, submit.attempt(), submit.spec().resources(), new JobState.Held(HoldKind.SUBMISSION)));
        }
        return new Result.Done(first, "held");
    }

    private Result release(final JobKey key) {
        final JobObserved job = jobs.get(key);
        if (job == null || !job.state().equals(new JobState.Held(HoldKind.SUBMISSION))) {
            return new Result.Refused(Refusal.STALE, key + " does not wait");
        }
        jobs.put(key, job.in(new JobState.Queued()));
        return new Result.Done(null, "eligible");
    }

    private Result hold(final JobKey key) {
        final JobObserved job = jobs.get(key);
        if (job == null || !job.state().isWaiting()) {
            return new Result.Refused(Refusal.STALE, key + " does not wait");
        }
        jobs.put(key, job.in(new JobState.Held(HoldKind.SUBMISSION)));
        return new Result.Done(null, "held");
    }

    private Result cancel(final Command command, final JobKey key) {
        final JobObserved job = jobs.get(key);
        if (job == null) {
            return new Result.Refused(Refusal.STALE, key + " is not there");
        }
        if (command.preconditions().contains(new Precondition.JobWaits(key))
                && !job.state().isWaiting()) {
            return new Result.Refused(Refusal.STALE, key + " does not wait");
        }
        end(key, new RunOutcome.Cancelled());
        return new Result.Done(null, "cancelled");
    }

    private void answer(final Command command, final Result result) {
        world.say(command.outcome(result, world.now));
    }

    public void startWhatFits() {
        for (final JobObserved job : List.copyOf(jobs.values())) {
            if (job.state() instanceof JobState.Queued && job.resources().cores() <= idle()) {
                jobs.put(job.job(), job.in(new JobState.Running(world.now, List.of())));
            }
        }
    }

    /** Ends a job: its end and its tombstone are written together. */
    public void end(final JobKey key, final RunOutcome outcome) {
        final JobObserved job = jobs.remove(key);
        world.say(RunEnded.of(job, 1, job.state().occupiesCores() ? world.now : null, world.now, outcome, 0, "script"));
        if (published.remove(key) != null) {
            world.gone(id, JobObserved.keyOf(key));
        }
    }

    /** The job was saved, and goes on under another key: it waits there first. */
    public JobKey goOn(final JobKey key) {
        final JobObserved job = jobs.get(key);
        final JobKey next = newKey();
        jobs.put(next, observed(next, job.attempt(), job.resources(), new JobState.Held(HoldKind.ENTRY)));
        observe();
        end(key, new RunOutcome.Continued(next, new CheckpointTaken("native", "/ckpt/1", world.now, world.now)));
        return next;
    }

    /** Puts a running job back into the queue. */
    public void requeue(final JobKey key) {
        final JobObserved job = jobs.get(key);
        world.say(RunEnded.of(job, 1, world.now, world.now, new RunOutcome.Requeued(), 0, "script"));
        jobs.put(key, restarted(job));
    }

    private static JobObserved restarted(final JobObserved job) {
        return new JobObserved(
                job.job(),
                job.name(),
                job.owner(),
                job.project(),
                job.partition(),
                new JobState.Queued(),
                job.reason(),
                job.resources(),
                job.walltime(),
                job.eligibility(),
                job.attempt(),
                job.restarts() + 1,
                job.priority(),
                job.checkpoint(),
                job.detail());
    }

    /** Publishes the differences and closes the revision; says nothing if nothing changed and the last heartbeat is young. */
    public void observe() {
        boolean news = revision == 0;
        for (final JobObserved job : jobs.values()) {
            if (!job.equals(published.put(job.job(), job))) {
                world.say(job);
                news = true;
            }
        }
        if (news || lastHeartbeatIsOld()) {
            close();
        }
    }

    private boolean lastHeartbeatIsOld() {
        final List<RevisionClosed> mine =
                world.events(RevisionClosed.class, m -> m.cluster().equals(id));
        return mine.isEmpty()
                || mine.getLast().observedAt().plusSeconds(10).isBefore(world.now)
                || mine.getLast().free().cores() != idle();
    }

    private void close() {
        if (revision == 0) {
            world.say(new PartitionObserved(id, MAIN, true, true, cores, walltimeLimit, limits, access));
        }
        revision++;
        world.say(new RevisionClosed(
                id,
                revision,
                world.now,
                stale ? new WlmHealth.Stale(world.now, "squeue: timed out") : new WlmHealth.Answering(),
                Control.NATIVE,
                "script 1",
                Resources.cores(cores).plus(beside),
                free(),
                takesGuests ? EnumSet.of(Capability.TRANSFER, Capability.HOLD) : EnumSet.of(Capability.HOLD),
                read,
                takesGuests ? "/staging" : null,
                null,
                Map.of()));
    }

    public int idle() {
        return free().cores();
    }

    private Resources free() {
        return jobs.values().stream()
                .filter(job -> job.state().occupiesCores())
                .map(JobObserved::resources)
                .reduce(Resources.cores(cores).plus(beside), Resources::minus);
    }

    public Collection<JobObserved> jobs() {
        return new ArrayList<>(jobs.values());
    }

    private JobObserved observed(
            final JobKey key, final @Nullable AttemptId tag, final Resources resources, final JobState state) {
        return new JobObserved(
                key,
                tag == null ? "local" : tag.toString(),
                ANNA,
                null,
                MAIN,
                state,
                null,
                resources,
                Duration.ofHours(1),
                Eligibility.since(world.now),
                tag,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private JobKey newKey() {
        numbers++;
        return new JobKey(new JobId(id, "" + numbers), world.now);
    }
}
