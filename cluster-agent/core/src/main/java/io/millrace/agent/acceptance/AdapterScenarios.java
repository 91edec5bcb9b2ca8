package io.millrace.agent.acceptance;

import static io.millrace.agent.acceptance.CheckFailure.unless;
import static io.millrace.agent.acceptance.CheckFailure.unlessEqual;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What every adapter must do with one job. Each scenario submits its own jobs; they run under directed and under native control. */
public final class AdapterScenarios {

    static final String SLEEP = "#!/bin/sh\nsleep 600\n";

    private static final String TRICKY = "grüß dich, \"$HOME\" 'und' `du` | ; a=b,c=d";
    private static final String TICKING = "#!/bin/bash\nwhile true; do echo tick >>ticks; sleep 0.2; done\n";

    private final TestQueue queue;

    public AdapterScenarios(final TestQueue queue) {
        this.queue = queue;
    }

    public void aSubmittedJobIsHeldAndTagged() {
        final AttemptId attempt = TestQueue.attempt();
        final JobKey job = CheckFailure.valueOf(queue.trySubmit(attempt, queue.spec("held", "#!/bin/sh\ntouch ran\n")));

        final JobObserved seen = queue.observed(job);
        unlessEqual("the state", seen.state(), new JobState.Held(HoldKind.SUBMISSION));
        unlessEqual("the tag", seen.attempt(), attempt);
        unlessEqual("the owner", seen.owner(), queue.scene().user());
        unlessEqual("the number of cores", seen.resources().cores(), 1);
        unlessEqual("the walltime", seen.walltime(), TestQueue.WALLTIME);
        unlessEqual("the number of restarts", seen.restarts(), 0);
        unless(!queue.files().exists("ran"), "job " + job + " ran although it is held");
    }

    public void aJobRunsAsItsOwnerInItsDirectoryWithItsEnvironment() {
        final AttemptId attempt = TestQueue.attempt();
        final JobKey job = queue.run(
                attempt,
                queue.spec(
                                "owner",
                                "#!/bin/bash\n"
                                        + "id -un >who; pwd >where; printf %s \"$GREETING\" >greeting; echo to the output;"
                                        + " printf '<%s>' \"$@\" >arguments; echo \"$MILLRACE_RESTART $MILLRACE_CORES\""
                                        + " >counts\n",
                                TestQueue.WALLTIME,
                                Map.of("GREETING", TRICKY),
                                false)
                        .withArguments(List.of(TRICKY, "", "-n", "*", "two\nlines", "#BSUB -x")));

        queue.awaitOutcome(job, new RunOutcome.Exited(0));
        final String user = queue.scene().user().value();
        unlessEqual("the account of the job", queue.awaitText("who", text -> text.endsWith("\n")), user + "\n");
        unlessEqual("the directory of the job", queue.files().text("where"), queue.directory() + "\n");
        unlessEqual("the variable of the job", queue.files().text("greeting"), TRICKY);
        unlessEqual(
                "the arguments of the script",
                queue.files().text("arguments"),
                "<" + TRICKY + "><><-n><*><two\nlines><#BSUB -x>");
        unlessEqual("MILLRACE_RESTART and MILLRACE_CORES", queue.files().text("counts"), "0 1\n");
        queue.awaitText(output(attempt), text -> text.contains("to the output"));
        unless(
                queue.files().attributes("who").startsWith(user + " "),
                "the result belongs to " + queue.files().attributes("who") + ", expected " + user);
    }

    private static String output(final AttemptId attempt) {
        return "millrace-" + attempt.job() + ".out";
    }

    public void exitCodesAndSignalsAreExact() {
        final JobKey seven = queue.run(queue.spec("seven", "#!/bin/sh\nexit 7\n"));
        final JobKey killed = queue.run(queue.spec("killed", "#!/bin/bash\nkill -SEGV $$\n"));
        final JobKey fine = queue.run(queue.spec("fine", "#!/bin/sh\nexit 0\n"));

        final Run run = queue.awaitOutcome(seven, new RunOutcome.Exited(7));
        unlessEqual("the number of the run", run.run(), 1);
        unless(
                run.started() != null && !run.ended().isBefore(run.started()),
                "the run of " + seven + " started at " + run.started() + " and ended at " + run.ended());
        queue.awaitOutcome(killed, new RunOutcome.Signalled(11));
        queue.awaitOutcome(fine, new RunOutcome.Exited(0));
    }

    public void aRequeuedJobRunsAgainUnderTheSameKey() {
        final AttemptId attempt = TestQueue.attempt();
        final JobKey job = queue.run(
                attempt,
                queue.spec(
                        "again",
                        "#!/bin/sh\necho \"$MILLRACE_RESTART\" >>runs\necho \"run $MILLRACE_RESTART\"\nsleep 600\n"));
        queue.awaitRunning(job);
        queue.awaitText("runs", text -> text.equals("0\n"));

        if (queue.isDirected()) {
            TestQueue.accepted(queue.wlm().get(Requeueing.class).requeue(job));
            queue.awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        } else {
            queue.requeueHeld(job);
        }
        unlessEqual("the number of restarts", queue.observed(job).restarts(), 1);

        queue.start(job);
        queue.awaitRunning(job);
        queue.awaitText("runs", text -> text.equals("0\n1\n"));
        queue.awaitText(output(attempt), text -> text.contains("run 0\n") && text.contains("run 1\n"));
        final Run first = queue.await("the first run in accounting", () -> queue.ended(job), found -> !found.isEmpty())
                .getFirst();
        unlessEqual("the outcome of the first run", first.outcome(), new RunOutcome.Requeued());
        unlessEqual("the number of the first run", first.run(), 1);

        queue.cancel(job);
        unlessEqual(
                "the number of the last run",
                queue.awaitOutcome(job, new RunOutcome.Cancelled()).run(),
                2);
    }

    public void aHeldJobWaitsUntilItIsReleased() {
        final JobKey job = queue.run(queue.spec("parked", SLEEP));
        queue.awaitRunning(job);
        queue.requeueHeld(job);
        unlessEqual("the number of restarts", queue.observed(job).restarts(), 1);

        queue.start(job);
        queue.awaitRunning(job);
    }

    public void aWaitingJobCanBeCancelled() {
        final JobKey job = queue.submit(queue.spec("unwanted", SLEEP));
        queue.cancel(job);
        unlessEqual(
                "the start of a job that never ran",
                queue.awaitOutcome(job, new RunOutcome.Cancelled()).started(),
                null);
    }

    public void aRunningJobIsCancelledWithEverythingItStarted() {
        final JobKey job = queue.run(
                queue.spec("tree", "#!/bin/bash\n(while true; do echo tick >>ticks; sleep 0.2; done) &\nwait\n"));
        queue.awaitText("ticks", text -> !text.isEmpty());

        queue.cancel(job);
        queue.awaitOutcome(job, new RunOutcome.Cancelled());
        queue.await("the child process to end", this::isTicking, ticking -> !ticking);
    }

    private boolean isTicking() {
        final int before = ticks();
        TestQueue.pause(Duration.ofSeconds(2));
        return ticks() > before;
    }

    private int ticks() {
        return queue.files().text("ticks").length();
    }

    public void aSuspendedJobStopsAndContinuesWhenItIsResumed() {
        final JobKey job = queue.run(queue.spec("clock", TICKING));
        queue.awaitText("ticks", text -> !text.isEmpty());

        TestQueue.accepted(queue.wlm().get(Suspending.class).suspend(job));
        queue.awaitState(job, state -> state instanceof JobState.Suspended);
        queue.await("the suspended job to stop", this::isTicking, ticking -> !ticking);

        TestQueue.accepted(queue.wlm().get(Suspending.class).resume(job));
        queue.awaitRunning(job);
        queue.await("the resumed job to continue", this::isTicking, ticking -> ticking);
    }

    public void aSignalReachesTheApplication() {
        final JobKey job = queue.run(queue.spec(
                "listener", "#!/bin/bash\ntrap ': >heard' USR1\ntouch ready\nwhile true; do sleep 0.2; done\n"));
        queue.awaitRunning(job);
        queue.await("file ready", () -> queue.files().exists("ready"), there -> there);

        TestQueue.accepted(queue.wlm().get(Signalling.class).signal(job, "USR1"));
        queue.await("file heard", () -> queue.files().exists("heard"), there -> there);
        unless(
                queue.observed(job).state() instanceof JobState.Running,
                "the signal changed the state to " + queue.observed(job).state().word());
    }

    public void theWalltimeOfAWaitingJobCanBeChanged() {
        final JobKey job = queue.submit(queue.spec("altered", SLEEP));
        TestQueue.accepted(queue.wlm().get(Altering.class).setWalltime(job, Duration.ofMinutes(7)));
        queue.await(
                "a walltime of 7 minutes",
                () -> queue.observed(job).walltime(),
                seen -> Objects.equals(seen, Duration.ofMinutes(7)));
        unlessEqual("the state", queue.observed(job).state(), new JobState.Held(HoldKind.SUBMISSION));
    }

    public void aJobIsKilledAtItsWalltimeLimit() {
        final Duration limit = queue.scene().shortestWalltime();
        final JobKey job = queue.run(queue.spec("endless", SLEEP, limit, Map.of(), false));

        final Run run = queue.awaitEnd(job);
        unlessEqual("the outcome", run.outcome(), new RunOutcome.TimedOut());
        unless(
                run.started() != null
                        && Duration.between(run.started(), run.ended()).compareTo(limit.minusSeconds(1)) >= 0,
                "the job was killed before its limit of " + limit + ": it ran from " + run.started() + " to "
                        + run.ended());
    }
}
