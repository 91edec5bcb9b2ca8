package io.millrace.agent.lsf;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.JobListing;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserCommand;
import io.millrace.agent.wlm.capability.ArrayCommands;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.JobKey;
import io.millrace.model.command.DryRunResult;
import java.util.List;
import java.util.function.Supplier;

/** Submits jobs as their owner, on hold from the start. */
final class Submissions implements Submitting, ArrayCommands, DryRunning {

    private final LsfSite site;
    private final Runner runner;
    private final JobListing listing;
    private final Supplier<String> nonces;
    private final Supplier<Answer<LsfFeatures>> features;

    Submissions(
            final LsfSite site,
            final Runner runner,
            final JobListing listing,
            final Supplier<String> nonces,
            final Supplier<Answer<LsfFeatures>> features) {
        this.site = site;
        this.runner = runner;
        this.listing = listing;
        this.nonces = nonces;
        this.features = features;
    }

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        return bsub(submission)
                .then(bsub -> runner.as(submission.owner(), submission.authority())
                        .run(bsub)
                        .then(id -> Submission.accepted("bsub", id, key(id))));
    }

    @Override
    public UserCommand submit(final UserArray array) {
        return new UserCommand(
                array.with(
                        "-q",
                        List.of(
                                site.program("bsub"),
                                "-r",
                                "-J",
                                array.name() + "[" + array.indices() + "]",
                                "-W",
                                Long.toString(Bsub.minutes(array.walltime())),
                                "-o",
                                "array-%J-%I.out")),
                site.commandEnvironment(),
                array.script(),
                array.directory());
    }

    private Answer<Bsub> bsub(final Submission submission) {
        return features.get().then(detected -> {
            final Bsub bsub = Bsub.of(site, detected, submission, nonces.get());
            return bsub.refusal()
                    .<Answer<Bsub>>map(reason -> Answer.trouble(Answer.Kind.REJECTED, reason))
                    .orElseGet(() -> Answer.ok(bsub));
        });
    }

    private Answer<JobKey> key(final String id) {
        return listing.jobs(List.of(id))
                .then(jobs -> jobs.isEmpty()
                        ? Answer.trouble(Answer.Kind.UNREADABLE, "bjobs does not list it")
                        : Answer.ok(jobs.getFirst().key(site.cluster())));
    }

    /** A dry run. It shows the script as it will run; bsub receives it compressed. */
    @Override
    public Answer<DryRunResult> dryRun(final Submission submission) {
        return features.get().then(detected -> {
            final Bsub bsub = Bsub.of(site, detected, submission, nonces.get());
            return bsub.translated()
                    .dryRun(
                            bsub.argv(),
                            bsub.translated().script(bsub.nonce()),
                            runner.as(submission.owner(), submission.authority()));
        });
    }
}
