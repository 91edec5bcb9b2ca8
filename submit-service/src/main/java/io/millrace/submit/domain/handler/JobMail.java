package io.millrace.submit.domain.handler;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Text;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.JobSetting.MailEvent;
import io.millrace.script.directive.MailRequest;
import io.millrace.submit.domain.usage.UsedText;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mail about a job.
 *
 * @param to addresses or user names
 */
public record JobMail(List<String> to, String subject, String text) {

    /** Longest part of a job name in a subject. */
    private static final int MAX_NAME = 60;

    /**
     * What happened to a job, according to an event.
     *
     * @param on the job's owner gets a mail about one of these
     * @param report who reports it: the attempt, and the cluster that the event comes from; null: migration-service
     * @param run identifies the run if several events can report the same occurrence
     * @param ended whether the job has ended with the end of a run
     */
    public record Occurrence(
            GlobalJobId job,
            Set<MailEvent> on,
            JobStatus state,
            String what,
            Instant at,
            @Nullable Report report,
            @Nullable String run,
            boolean ended) {}

    /** A report of a cluster on an attempt; it counts if the attempt was placed there. */
    public record Report(AttemptId attempt, ClusterId cluster) {}

    /** Empty if no mail is sent about such an event. */
    public static Optional<Occurrence> occurrence(final Event event) {
        return switch (event) {
            case GlobalJob job when job.state().isFinal() -> Optional.of(ended(job));
            case JobObserved job
            when job.attempt() != null && job.state() instanceof JobState.Running running ->
                Optional.of(started(job, job.attempt(), running.startedAt()));
            case RunEnded run
            when run.attempt() != null && isPreemption(run.outcome()) ->
                Optional.of(new Occurrence(
                        run.attempt().job(),
                        Set.of(MailEvent.REQUEUE),
                        JobStatus.PREEMPTED,
                        "was preempted on " + run.job().cluster() + " and waits again",
                        run.endedAt(),
                        new Report(run.attempt(), run.cluster()),
                        null,
                        false));
            default -> Optional.empty();
        };
    }

    private static Occurrence started(final JobObserved job, final AttemptId attempt, final Instant at) {
        return new Occurrence(
                attempt.job(),
                Set.of(MailEvent.BEGIN),
                JobStatus.RUNNING,
                "has started on " + job.cluster(),
                at,
                new Report(attempt, job.cluster()),
                attempt + " " + at,
                false);
    }

    private static boolean isPreemption(final RunOutcome outcome) {
        return outcome instanceof RunOutcome.Requeued || outcome instanceof RunOutcome.Checkpointed;
    }

    private static Occurrence ended(final GlobalJob job) {
        final JobStatus state = JobStatus.of(job, null);
        final boolean good = state == JobStatus.SUCCEEDED;
        return new Occurrence(
                job.id(),
                good ? Set.of(MailEvent.END) : Set.of(MailEvent.END, MailEvent.FAIL),
                state,
                good ? "has ended" : "has failed: " + failure(job.state()),
                job.since(),
                null,
                null,
                job.state() instanceof GlobalJobState.End);
    }

    private static String failure(final GlobalJobState state) {
        return switch (state) {
            case GlobalJobState.End(RunOutcome outcome) -> outcome.detail();
            case GlobalJobState.Aborted aborted -> aborted.reason();
            case GlobalJobState.Stopped stopped -> "stopped by " + stopped.by() + " (" + stopped.reason() + ")";
            default -> state.word();
        };
    }

    /**
     * The mail that the owner of the job requested; empty if none.
     *
     * @param last the last run of a job that has ended; null if it never ran, or if it has not ended
     */
    public static Optional<JobMail> of(
            final Occurrence occurrence, final JobSubmitted job, final @Nullable RunEnded last) {
        if (!job.spec().environment().containsKey(MailRequest.TYPE)) {
            return Optional.empty();
        }
        return MailRequest.of(job.spec().environment(), job.spec().script())
                .filter(mail -> !Collections.disjoint(mail.on(), occurrence.on()))
                .map(mail -> new JobMail(
                        mail.to().isEmpty() ? List.of(job.owner().value()) : mail.to(),
                        "Job " + job.jobNumber() + " (" + shortName(job) + ") " + oneLine(occurrence.what()),
                        text(occurrence, job, last)));
    }

    /** This mail, which also says how many earlier ones were not sent. */
    public JobMail without(final int dropped, final int perHour) {
        return dropped == 0
                ? this
                : new JobMail(
                        to,
                        subject,
                        text + "\n" + dropped + " earlier mails about your jobs were not sent: at most " + perHour
                                + " an hour are (millrace.submit.limits.user-mails-per-hour).\n");
    }

    private static String shortName(final JobSubmitted job) {
        final String name = oneLine(job.spec().name());
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME) + "...";
    }

    /** A name or a reason must not add lines to the header. */
    private static String oneLine(final String text) {
        return Text.escaped(text.replaceAll("\\s+", " "));
    }

    private static String text(final Occurrence occurrence, final JobSubmitted job, final @Nullable RunEnded last) {
        final String used = last == null
                ? ""
                : UsedText.of(last).map("Used:      %s\n"::formatted).orElse("");
        return """
            Job %s of %s %s.

            Name:      %s
            State:     %s
            Time:      %s
            %sSubmitted: %s, in %s on %s

            More: mgstat --why %s
            """.formatted(
                        job.jobNumber(),
                        job.owner(),
                        oneLine(occurrence.what()),
                        oneLine(job.spec().name()),
                        occurrence.state().word(),
                        occurrence.at(),
                        used,
                        job.submittedAt(),
                        oneLine(job.directory()),
                        job.source(),
                        job.jobNumber());
    }
}
