package io.millrace.agent.acceptance;

import static io.millrace.agent.acceptance.CheckFailure.unless;
import static io.millrace.agent.acceptance.CheckFailure.unlessEqual;

import io.millrace.agent.domain.Run;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.ArrayCommands;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Jobs that may not start yet: tasks of an array, jobs that depend on others, jobs with a begin time. */
final class WaitingJobChecks {

    private static final int TASKS = 3;
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm");

    private final TestQueue queue;
    private final ZoneId zone;

    /** @param zone of the cluster */
    WaitingJobChecks(final TestQueue queue, final ZoneId zone) {
        this.queue = queue;
        this.zone = zone;
    }

    /** A user submits it past Millrace: an array cannot be a global job. */
    void eachTaskOfAnArrayRunsOnce() {
        if (!(queue.wlm().find(ArrayCommands.class) instanceof ArrayCommands arrays)) {
            throw new NotSupported("this workload manager has no arrays");
        }
        CheckFailure.valueOf(queue.owner()
                .run(arrays.submit(new ArrayCommands.UserArray(
                        queue.scene().prefix() + "array",
                        queue.scene().partition(),
                        TASKS,
                        TestQueue.WALLTIME,
                        "#!/bin/sh\ncd '" + queue.directory() + "' || exit 1\n"
                                + "echo run"
                                + " >>\"task.${SLURM_ARRAY_TASK_ID:-${PBS_ARRAY_INDEX:-${PBS_ARRAYID:-$LSB_JOBINDEX}}}\"\n"
                                + "sleep 10\n",
                        queue.directory()))));
        final Set<JobKey> ran = new HashSet<>();
        queue.await("the array in the queue", queue::ownJobs, jobs -> !jobs.isEmpty());
        queue.await("the tasks to end", () -> startTasks(ran), List::isEmpty);
        for (int task = 1; task <= TASKS; task++) {
            queue.awaitText("task." + task, text -> !text.isEmpty());
            unlessEqual("the runs of task " + task, queue.files().text("task." + task), "run\n");
        }
        unlessEqual("the number of tasks observed while they ran", ran.size(), TASKS);
        ran.forEach(task -> queue.awaitOutcome(task, new RunOutcome.Exited(0)));
    }

    /** Starts the next tasks under directed control; a task that does not fit yet is tried again. */
    private List<JobObserved> startTasks(final Set<JobKey> ran) {
        final List<JobObserved> jobs = queue.ownJobs();
        for (final JobObserved job : jobs) {
            unless(job.detail().array() != null, "job " + job.job() + " is not observed as part of an array");
            if (job.state() instanceof JobState.Running
                    && job.resources().cores() > 0) { // not PBS's record of the array
                ran.add(job.job());
            } else if (job.state().equals(new JobState.Held(HoldKind.ENTRY))) {
                queue.wlm().get(Starting.class).start(job.job());
            }
        }
        return jobs;
    }

    void aDependentJobWaitsForTheOther() {
        final JobKey first = queue.run(queue.spec("first", "#!/bin/sh\nwhile [ ! -e go ]; do sleep 1; done\n"));
        queue.awaitRunning(first);
        final JobKey second = submitOrSkip("second", "--dependency=afterok:" + localJob(first));
        staysIneligibleUntil(second, Instant.now().plusSeconds(10));

        queue.files().create("go");
        final Run before = queue.awaitOutcome(first, new RunOutcome.Exited(0));
        final Run after = runWhenEligible(second);
        unless(
                after.started() != null && !after.started().isBefore(before.ended()),
                "the dependent job started at " + after.started() + ", before the other one ended at "
                        + before.ended());
    }

    /** Local ids of PBS end with the name of the server, which other dialects do not have. */
    private static String localJob(final JobKey job) {
        return job.cluster() + "/" + job.id().local().replaceFirst("\\D.*", "");
    }

    void aJobDoesNotBeginBeforeItsTime() {
        final Instant begin = Instant.now().plusSeconds(120).truncatedTo(ChronoUnit.MINUTES);
        final JobKey job =
                submitOrSkip("later", "--begin=" + MINUTE.withZone(zone).format(begin));
        staysIneligibleUntil(job, begin.minusSeconds(5));
        final Run run = runWhenEligible(job);
        unless(
                run.started() != null && !run.started().isBefore(begin),
                "the job started at " + run.started() + ", before its begin time " + begin);
    }

    /** @param option of Slurm, translated for the workload manager of this cluster */
    private JobKey submitOrSkip(final String name, final String option) {
        final Answer<JobKey> answer = queue.trySubmit(
                TestQueue.attempt(),
                queue.spec(name, "#!/bin/sh\n#SBATCH " + option + "\ntouch ran\n", TestQueue.WALLTIME, Map.of(), true));
        if (answer instanceof Answer.Trouble<JobKey> trouble
                && trouble.kind() == Answer.Kind.REJECTED
                && SubmissionScript.hasNoEquivalent(trouble.reason())) {
            throw new NotSupported(trouble.reason());
        }
        final JobKey job = CheckFailure.valueOf(answer);
        TestQueue.accepted(queue.holding().release(job, HoldKind.SUBMISSION));
        return job;
    }

    private void staysIneligibleUntil(final JobKey job, final Instant end) {
        while (Instant.now().isBefore(end)) {
            final JobObserved seen = queue.observed(job);
            unless(
                    seen.state().isWaiting() && !seen.isStartable(),
                    "job " + job + " may not start before " + end + ", but it is "
                            + seen.state().word()
                            + " and "
                            + seen.eligibility());
            TestQueue.pause(Duration.ofSeconds(2));
        }
        unless(!queue.files().exists("ran"), "job " + job + " ran before " + end);
    }

    /** The local scheduler may start and end the job at any moment. */
    private Run runWhenEligible(final JobKey job) {
        if (queue.isDirected()) {
            queue.await("job " + job + " to be eligible", () -> queue.observed(job), JobObserved::isStartable);
            queue.start(job);
        }
        return queue.awaitOutcome(job, new RunOutcome.Exited(0));
    }
}
