package io.millrace.agent.acceptance;

import static io.millrace.agent.acceptance.CheckFailure.unless;
import static io.millrace.agent.acceptance.CheckFailure.unlessEqual;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a complete agent does on this cluster. An embedded cluster is observed only while no agent process runs. */
final class AgentChecks {

    private static final String COUNTING =
            "#!/bin/sh\necho run >>%1$s.runs\nwhile [ ! -e %1$s.go ]; do sleep 1; done\n";

    private final TestQueue queue;
    private final Supplier<AgentProcess> agents;
    private final @Nullable String umask;

    /**
     * @param agents starts an agent process
     * @param umask of the user's login session, in octal; null: unknown
     */
    AgentChecks(final TestQueue queue, final Supplier<AgentProcess> agents, final @Nullable String umask) {
        this.queue = queue;
        this.agents = agents;
        this.umask = umask;
    }

    /** A borrowed job is preempted for a guaranteed one, waits meanwhile, and runs again. */
    void aPreemptedJobRunsAgain() {
        final boolean directed = queue.isDirected();
        final JobKey borrowed = queue.run(counting("borrowed"));
        awaitRuns("borrowed", 1);
        final JobKey guaranteed = waiting(directed);
        final int before = runs("guaranteed");
        try (AgentProcess agent = agents.get()) {
            agent.does(Issuer.QUOTA, new Action.Reclaim(List.of(borrowed), guaranteed));
            awaitRuns("guaranteed", before + 1);
        }
        unlessEqual(
                "the number of restarts of the preempted job",
                queue.observed(borrowed).restarts(),
                1);
        queue.files().create("guaranteed.go");
        queue.awaitOutcome(guaranteed, new RunOutcome.Exited(0));
        if (directed) {
            queue.start(borrowed);
        }
        awaitRuns("borrowed", 2);
        queue.files().create("borrowed.go");
        unlessEqual(
                "the number of the last run",
                queue.awaitOutcome(borrowed, new RunOutcome.Exited(0)).run(),
                2);
    }

    /** A job with the entry hold. Under native control only a job that has run can have it. */
    private JobKey waiting(final boolean directed) {
        if (directed) {
            final JobKey job = queue.submit(counting("guaranteed"));
            TestQueue.accepted(queue.holding().release(job, HoldKind.SUBMISSION));
            return job;
        }
        final JobKey job = queue.run(counting("guaranteed"));
        awaitRuns("guaranteed", 1);
        queue.requeueHeld(job);
        return job;
    }

    /** Promise 3: a command is executed at most once, and its answer is true. */
    void aKilledAgentExecutesNoCommandTwice() {
        final boolean directed = queue.isDirected();
        final AttemptId attempt = TestQueue.attempt();
        final JobKey job;
        final int expectedRuns;
        try (AgentProcess agent = agents.get()) {
            job = submitted(agent, attempt);
            if (directed) {
                agent.does(Issuer.MIGRATION, new Action.Release(job));
                effective(agent, Issuer.BACKFILL, new Action.Start(job));
            } else {
                effective(agent, Issuer.MIGRATION, new Action.Release(job));
            }
            awaitRuns("counted", 1);
            final boolean requeued =
                    agent.killedDuring(Issuer.BACKFILL, new Action.Requeue(job)) instanceof Result.Done;
            if (requeued && directed) {
                agent.does(Issuer.BACKFILL, new Action.Start(job));
            }
            expectedRuns = requeued ? 2 : 1;
            awaitRuns("counted", expectedRuns);
        }
        final JobObserved seen = queue.awaitState(job, state -> state instanceof JobState.Running);
        unlessEqual("the number of restarts", seen.restarts(), expectedRuns - 1);
        queue.files().create("counted.go");
        queue.awaitOutcome(job, new RunOutcome.Exited(0));
        unlessEqual("the number of runs", runs("counted"), expectedRuns);
    }

    /** Submits a job while the agent is killed; if the agent answers that nothing was submitted, again without. */
    private JobKey submitted(final AgentProcess agent, final AttemptId attempt) {
        final Result first = agent.killedDuring(Issuer.MIGRATION, submit(attempt));
        unless(
                first instanceof Result.Done || first instanceof Result.Failed,
                "after it was killed during a submit the agent answered " + first);
        return first instanceof Result.Done done && done.job() != null
                ? done.job()
                : Objects.requireNonNull(agent.does(Issuer.MIGRATION, submit(TestQueue.attempt()))
                        .job());
    }

    private Action.Submit submit(final AttemptId attempt) {
        return new Action.Submit(attempt, queue.scene().user(), counting("counted"), queue.directory(), "");
    }

    /** Executes the command while the agent is killed; if the answer is that it had no effect, again without. */
    private static void effective(final AgentProcess agent, final Issuer issuer, final Action action) {
        if (!(agent.killedDuring(issuer, action) instanceof Result.Done)) {
            agent.does(issuer, action);
        }
    }

    /** Files that a job creates have the permissions of its owner's login umask, whatever umask the agent has. */
    void resultsHaveTheOwnersPermissions() {
        final boolean directed = queue.isDirected();
        final JobKey job;
        try (AgentProcess agent = agents.get()) {
            final JobSpec spec = queue.spec("umask", "#!/bin/sh\numask >umask\ntouch result\n");
            job = Objects.requireNonNull(agent.does(
                            Issuer.MIGRATION,
                            new Action.Submit(TestQueue.attempt(), queue.scene().user(), spec, queue.directory(), ""))
                    .job());
            agent.does(Issuer.MIGRATION, new Action.Release(job));
            if (directed) {
                agent.does(Issuer.BACKFILL, new Action.Start(job));
            }
            queue.awaitText("umask", text -> text.endsWith("\n"));
        }
        queue.awaitOutcome(job, new RunOutcome.Exited(0));
        final String user = queue.scene().user().value();
        final String attributes = queue.files().attributes("result");
        if (umask == null) {
            unless(attributes.startsWith(user + " "), "the result belongs to " + attributes + ", expected " + user);
        } else {
            unlessEqual(
                    "owner and permissions of the result",
                    attributes,
                    user + " " + Integer.toOctalString(0666 & ~Integer.parseInt(umask, 8)));
        }
    }

    private JobSpec counting(final String name) {
        return queue.spec(name, COUNTING.formatted(name));
    }

    private void awaitRuns(final String name, final int count) {
        queue.await("run " + count + " of job '" + name + "'", () -> runs(name), seen -> seen >= count);
    }

    private int runs(final String name) {
        return (int) queue.files().text(name + ".runs").lines().count();
    }
}
