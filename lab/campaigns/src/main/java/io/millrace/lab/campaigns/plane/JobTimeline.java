package io.millrace.lab.campaigns.plane;

import io.millrace.log.LogRecord;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** When each global job took each step from its submission to its end, by the records on the log. */
final class JobTimeline {

    /** The topics with the records of the steps. */
    static final List<Topic> TOPICS = List.of(
            Topic.SUBMISSIONS, Topic.GLOBAL_JOBS, Topic.COMMANDS, Topic.OUTCOMES, Topic.ENTITLEMENTS, Topic.JOB_ENDS);

    /** The steps in their order. A job that is placed on its source cluster takes no step of a transfer. */
    private enum Step {
        ACCEPTED("accepted"),
        RECORDED("recorded by migration-service"),
        PLACED("placed on a cluster"),
        UPLOADED("uploaded to that cluster"),
        SUBMIT_ISSUED("submit issued"),
        SUBMIT_BEGUN("submit begun"),
        SUBMIT_DONE("submit done"),
        ENTITLED("entitled by quota-service"),
        RELEASE_ISSUED("release issued"),
        RELEASE_BEGUN("release begun"),
        RELEASE_DONE("release done"),
        START_ISSUED("start issued by backfill-service"),
        START_BEGUN("start begun"),
        START_DONE("start done"),
        RUNNING("running"),
        RUN_ENDED("run ended"),
        END_OBSERVED("end observed by the agent"),
        DOWNLOADING("download requested"),
        ENDED("End");

        private final String label;

        Step(final String label) {
            this.label = label;
        }
    }

    /**
     * How long a step took after the step before it.
     *
     * @param milliseconds of each job that took it, ascending
     */
    record Wait(String step, long[] milliseconds) {

        /** @param share between 0 and 1 */
        long percentile(final double share) {
            return milliseconds[(int) Math.min(milliseconds.length - 1.0, Math.floor(share * milliseconds.length))];
        }
    }

    private final Map<GlobalJobId, EnumMap<Step, Instant>> jobs = new HashMap<>();
    private final Map<String, GlobalJobId> byLocalJob = new HashMap<>();

    /** @param records of all topics; those of a topic in their order */
    static JobTimeline of(final List<LogRecord> records) {
        final JobTimeline timeline = new JobTimeline();
        records.forEach(timeline::submissionsAndStates);
        records.forEach(timeline::commandsAndRuns);
        return timeline;
    }

    private void submissionsAndStates(final LogRecord read) {
        switch (read.event()) {
            case JobSubmitted job -> step(job.job(), Step.ACCEPTED, read.time());
            case GlobalJob job -> state(job, read.time());
            case null, default -> {}
        }
    }

    private void state(final GlobalJob job, final Instant at) {
        step(job.id(), Step.RECORDED, at);
        switch (job.state()) {
            case GlobalJobState.Uploading uploading -> step(job.id(), Step.PLACED, at);
            case GlobalJobState.Submitted submitted -> {
                if (steps(job.id()).containsKey(Step.PLACED) && submitted.localJob() == null) {
                    step(job.id(), Step.UPLOADED, at);
                }
                step(job.id(), Step.PLACED, at);
                if (submitted.localJob() != null) {
                    byLocalJob.put(submitted.localJob().toString(), job.id());
                }
            }
            case GlobalJobState.Downloading downloading -> step(job.id(), Step.DOWNLOADING, at);
            default -> {
                if (job.state().isFinal()) {
                    step(job.id(), Step.ENDED, at);
                }
            }
        }
    }

    private void commandsAndRuns(final LogRecord read) {
        switch (read.event()) {
            case Command command ->
                command(command.action().name(), command.action().subject(), read.time());
            case Outcome outcome -> outcome(outcome);
            case Entitlement entitled -> local(entitled.job().toString(), Step.ENTITLED, read.time());
            case RunEnded run -> run(run, read.time());
            case null, default -> {}
        }
    }

    private void command(final String action, final String subject, final Instant at) {
        switch (action) {
            case "submit" -> step(attempted(subject), Step.SUBMIT_ISSUED, at);
            case "release" -> local(subject, Step.RELEASE_ISSUED, at);
            case "start" -> local(subject, Step.START_ISSUED, at);
            default -> {}
        }
    }

    private void outcome(final Outcome outcome) {
        final boolean begun = outcome.result() instanceof Result.Begun;
        final String subject = outcome.subject();
        final Instant at = outcome.answeredAt();
        switch (outcome.action()) {
            case "submit" -> step(attempted(subject), begun ? Step.SUBMIT_BEGUN : Step.SUBMIT_DONE, at);
            case "release" -> local(subject, begun ? Step.RELEASE_BEGUN : Step.RELEASE_DONE, at);
            case "start" -> local(subject, begun ? Step.START_BEGUN : Step.START_DONE, at);
            default -> {}
        }
    }

    private void run(final RunEnded run, final Instant at) {
        final String job = run.job().toString();
        if (run.startedAt() != null) {
            local(job, Step.RUNNING, run.startedAt());
        }
        local(job, Step.RUN_ENDED, run.endedAt());
        local(job, Step.END_OBSERVED, at);
    }

    private static GlobalJobId attempted(final String subject) {
        return AttemptId.of(subject).job();
    }

    /** @param job the text of a {@link JobKey} */
    private void local(final String job, final Step step, final Instant at) {
        Optional.ofNullable(byLocalJob.get(job)).ifPresent(id -> step(id, step, at));
    }

    /** Only the first time counts. */
    private void step(final GlobalJobId job, final Step step, final Instant at) {
        steps(job).putIfAbsent(step, at);
    }

    private Map<Step, Instant> steps(final GlobalJobId job) {
        return jobs.computeIfAbsent(job, j -> new EnumMap<>(Step.class));
    }

    /**
     * The steps of the jobs accepted since then.
     *
     * @param transferred whether of those that ran on another cluster than their source, or of those that ran on their source
     */
    List<Wait> waits(final Instant since, final boolean transferred) {
        final Map<Step, List<Long>> all = new EnumMap<>(Step.class);
        for (final EnumMap<Step, Instant> job : jobs.values()) {
            final Instant accepted = job.get(Step.ACCEPTED);
            if (accepted == null || accepted.isBefore(since) || job.containsKey(Step.UPLOADED) != transferred) {
                continue;
            }
            Instant last = accepted;
            for (final Map.Entry<Step, Instant> step : job.entrySet()) {
                all.computeIfAbsent(step.getKey(), s -> new ArrayList<>())
                        .add(Duration.between(last, step.getValue()).toMillis());
                last = step.getValue();
            }
        }
        all.remove(Step.ACCEPTED);
        return all.entrySet().stream()
                .map(step -> new Wait(step.getKey().label, sorted(step.getValue())))
                .toList();
    }

    private static long[] sorted(final List<Long> times) {
        final long[] sorted = times.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
