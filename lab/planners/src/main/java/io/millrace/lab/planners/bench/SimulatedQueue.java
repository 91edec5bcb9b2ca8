package io.millrace.lab.planners.bench;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/** A cluster that executes its commands when it is polled. Jobs run for a tenth to nearly twice the mean run time. */
final class SimulatedQueue {

    private static final PartitionName MAIN = PartitionName.of("main");

    private record End(Instant at, JobKey job) {}

    private final ClusterId id;
    private final int cores;
    private final int runTime_s;
    private final Map<JobKey, JobObserved> jobs = new HashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::at));
    private final List<Command> commands = new ArrayList<>();
    private int used;
    private long revision;
    private long numbers;

    SimulatedQueue(final ClusterId id, final int cores, final int runTime_s) {
        this.id = id;
        this.cores = cores;
        this.runTime_s = runTime_s;
    }

    ClusterId id() {
        return id;
    }

    void take(final Command command) {
        commands.add(command);
    }

    /**
     * Executes the commands, ends jobs and closes a revision.
     *
     * @param offset of the commands that it includes, exclusive
     * @param gone receives the keys of jobs that left
     */
    void poll(
            final Instant now,
            final long offset,
            final RandomGenerator random,
            final List<Event> news,
            final List<String> gone) {
        for (final Command command : commands) {
            news.add(command.outcome(execute(command, now, random, news), now));
        }
        commands.clear();
        for (End end = ends.peek(); end != null && !end.at().isAfter(now); end = ends.peek()) {
            leave(ends.remove().job(), now, news, gone);
        }
        news.add(new RevisionClosed(
                id,
                ++revision,
                now,
                new WlmHealth.Answering(),
                Control.NATIVE,
                "simulated",
                Resources.cores(cores),
                Resources.cores(cores - used),
                EnumSet.of(Capability.TRANSFER),
                offset + 1,
                "/staging",
                null,
                Map.of()));
    }

    private Result execute(
            final Command command, final Instant now, final RandomGenerator random, final List<Event> news) {
        return switch (command.action()) {
            case Action.Submit submit -> {
                final JobKey key = new JobKey(new JobId(id, "" + ++numbers), now);
                put(waiting(key, submit), news);
                yield new Result.Done(key, "held");
            }
            case Action.Release release -> {
                final JobObserved job = Objects.requireNonNull(jobs.get(release.job()));
                used += job.resources().cores();
                put(job.in(new JobState.Running(now, List.of())), news);
                ends.add(new End(now.plusSeconds(runTime_s / 10 + random.nextInt(runTime_s * 9 / 5)), release.job()));
                yield new Result.Done(null, "started");
            }
            default -> throw new IllegalArgumentException(command.action() + " is not part of the measurement");
        };
    }

    private void put(final JobObserved job, final List<Event> news) {
        jobs.put(job.job(), job);
        news.add(job);
    }

    private static JobObserved waiting(final JobKey key, final Action.Submit submit) {
        return new JobObserved(
                key,
                submit.spec().name(),
                submit.owner(),
                null,
                MAIN,
                new JobState.Held(HoldKind.SUBMISSION),
                null,
                submit.spec().resources(),
                submit.spec().walltime(),
                Eligibility.since(key.submittedAt()),
                submit.attempt(),
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private void leave(final JobKey key, final Instant now, final List<Event> news, final List<String> gone) {
        final JobObserved job = Objects.requireNonNull(jobs.remove(key));
        used -= job.resources().cores();
        gone.add(JobObserved.keyOf(key));
        news.add(RunEnded.of(job, 1, job.job().submittedAt(), now, new RunOutcome.Exited(0), 0, "simulated"));
    }
}
