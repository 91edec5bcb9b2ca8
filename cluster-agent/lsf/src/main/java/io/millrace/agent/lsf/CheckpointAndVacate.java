package io.millrace.agent.lsf;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.history.ContinuedJobs;
import io.millrace.agent.lsf.history.HistoryQuery;
import io.millrace.agent.lsf.observe.JobListing;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.observe.JobNote;
import io.millrace.agent.lsf.observe.JobNotes;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Polling;
import io.millrace.agent.wlm.capability.NativeCheckpointing.VacatedJob;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Saves a job with {@code bchkpnt -k}, which ends it, and submits the saved job again with {@code brestart}: a new job with a new id, on
 * hold. brestart cannot hold the job, so its begin time is set to tomorrow until it is held.
 */
final class CheckpointAndVacate {

    private static final Pattern ID = Pattern.compile("Job <(\\d+)> is submitted");

    private final LsfSite site;
    private final Runner runner;
    private final CommandExecutor executor;
    private final JobListing listing;
    private final JobLookup lookup;
    private final JobNotes notes;
    private final ContinuedJobs continuations;
    private final Clock clock;

    CheckpointAndVacate(
            final LsfSite site,
            final Runner runner,
            final CommandExecutor executor,
            final JobListing listing,
            final JobLookup lookup,
            final JobNotes notes,
            final ContinuedJobs continuations,
            final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.executor = executor;
        this.listing = listing;
        this.lookup = lookup;
        this.notes = notes;
        this.continuations = continuations;
        this.clock = clock;
    }

    Answer<VacatedJob> run(final JobKey key, final Duration grace) throws InterruptedException {
        return switch (lookup.find(key)) {
            case Answer.Trouble<JobLookup.FoundJob> trouble -> trouble.of();
            case Answer.Ok<JobLookup.FoundJob> ok -> run(key, ok.value(), grace);
        };
    }

    private Answer<VacatedJob> run(final JobKey key, final JobLookup.FoundJob found, final Duration grace)
            throws InterruptedException {
        if (!(found.state() instanceof JobState.Running)) {
            return lookup.wrongState(found, "is not running");
        }
        final String folder = found.job().request().checkpointDirectory();
        if (folder.isEmpty()) {
            return lookup.wrongState(found, "was submitted without a checkpoint directory (bsub -k)");
        }
        final Instant requestedAt = clock.instant();
        notes.write(key, new JobNote(JobNote.Kind.CHECKPOINTING, requestedAt));
        final Answer<VacatedJob> parked =
                switch (executor.run("bchkpnt", "-k", key.id().local())) {
                    case Answer.Trouble<Accepted> trouble -> trouble.of();
                    case Answer.Ok<Accepted> ok -> saved(key, found, folder, requestedAt, grace);
                };
        notes.remove(key);
        return parked;
    }

    /** Waits until the job has left its hosts, then checks that it was saved and did not just end. */
    private Answer<VacatedJob> saved(
            final JobKey key,
            final JobLookup.FoundJob found,
            final String folder,
            final Instant requestedAt,
            final Duration grace)
            throws InterruptedException {
        return Polling.until(
                requestedAt.plus(grace),
                clock,
                () -> listing.find(key) instanceof Answer.Ok<ListedJob> now
                                && now.value().hasEnded()
                        ? Optional.of(ended(key, found, folder, requestedAt))
                        : Optional.empty(),
                () -> Answer.trouble(
                        Answer.Kind.TIMEOUT,
                        "job " + key + " was not saved within " + grace.toSeconds()
                                + " s after bchkpnt -k and is still running; see the echkpnt log in " + folder));
    }

    private Answer<VacatedJob> ended(
            final JobKey key, final JobLookup.FoundJob found, final String folder, final Instant requestedAt) {
        return wasSaved(key)
                .then(saved -> saved
                        ? restart(key, found, new CheckpointTaken("native", folder, requestedAt, clock.instant()))
                        : lookup.wrongState(found, "ended before it was saved"));
    }

    private Answer<Boolean> wasSaved(final JobKey key) {
        return runner.run(new HistoryQuery(site, List.of(key.id().local()), false))
                .map(jobs -> jobs.stream()
                        .flatMap(job -> job.events().stream())
                        .map(LongFormat.Event::compact)
                        .anyMatch(line -> line.startsWith("Checkpointsucceeded") || line.contains("TERM_CHKPNT")));
    }

    private Answer<VacatedJob> restart(final JobKey key, final JobLookup.FoundJob found, final CheckpointTaken taken) {
        final UserName owner = UserName.of(found.job().heading().user());
        final String id = key.id().local();
        final String folder = taken.location().replaceAll("/" + Pattern.quote(id) + "/?$", "");
        return runner.as(owner)
                .run(new Brestart(site, folder, id, found.job().heading().queue(), clock.instant()))
                .then(newId -> holdRestarted(key, newId, taken));
    }

    private Answer<VacatedJob> holdRestarted(final JobKey key, final String newId, final CheckpointTaken taken) {
        return listing.jobs(List.of(newId)).then(jobs -> {
            if (jobs.isEmpty()) {
                return Answer.trouble(
                        Answer.Kind.UNREADABLE, "brestart created job " + newId + ", but bjobs does not list it");
            }
            final JobKey as = jobs.getFirst().key(site.cluster());
            continuations.add(key, new RunOutcome.Continued(as, taken));
            notes.write(as, new JobNote(JobNote.Kind.ENTRY, clock.instant()));
            return executor.run("bstop", newId)
                    .then(stopped -> executor.run("bmod", "-bn", newId))
                    .map(free -> new VacatedJob(as, taken));
        });
    }

    /** {@code brestart}, run with the rights of the owner. */
    private record Brestart(LsfSite site, String folder, String id, String queue, Instant now)
            implements CommandLine<String> {

        @Override
        public List<String> argv() {
            final OffsetDateTime later = now.atOffset(ZoneOffset.UTC).plusHours(23);
            return List.of(
                    site.program("brestart"),
                    "-q",
                    queue,
                    "-b",
                    later.getMonthValue() + ":" + later.getDayOfMonth() + ":" + later.getHour() + ":"
                            + later.getMinute(),
                    folder,
                    id);
        }

        @Override
        public Map<String, String> environment() {
            return site.queryEnvironment();
        }

        @Override
        public Duration limit() {
            return Duration.ofSeconds(30);
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            final Matcher newId = ID.matcher(result.outputText());
            return result.succeeded() && newId.find()
                    ? Answer.ok(newId.group(1))
                    : LsfErrors.of("brestart of job " + id + " from " + folder, result, Answer.Kind.REJECTED);
        }
    }
}
