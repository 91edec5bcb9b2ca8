package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserCommand;
import io.millrace.agent.wlm.capability.ArrayCommands;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.JobKey;
import io.millrace.model.command.DryRunResult;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Submits jobs as their owner with a user hold, and replaces that hold by Millrace's before the job can start. */
public final class Submissions implements Submitting, ArrayCommands, DryRunning {

    private final PbsSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;
    private final MarkResource marks;
    private final Supplier<String> nonces;
    private final Supplier<String> version;

    public Submissions(
            final PbsSite site,
            final Runner runner,
            final JobLookup jobs,
            final Holds holds,
            final MarkResource marks,
            final Supplier<String> nonces,
            final Supplier<String> version) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
        this.marks = marks;
        this.nonces = nonces;
        this.version = version;
    }

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        final Optional<String> missing = marks.missing();
        if (missing.isPresent()) {
            return Answer.trouble(Answer.Kind.DENIED, missing.get());
        }
        final SubmissionScript translation = translate(submission);
        final Optional<String> refusal = translation.refusal();
        if (refusal.isPresent()) {
            return Answer.trouble(Answer.Kind.REJECTED, refusal.get());
        }
        final Runner owner = runner.as(submission.owner(), submission.authority());
        final String path = ScriptFile.path(submission);
        return owner.run(new ScriptFile(site, path, null))
                .then(made -> owner.run(new ScriptFile(site, path, translation.script(nonces.get()))))
                .then(written -> owner.run(qsub(submission, translation)))
                .then(id -> accepted(id, owner));
    }

    /** After qsub has printed an id, the job exists: a later error must not be reported as a failed submission. */
    private Answer<JobKey> accepted(final String id, final Runner owner) {
        final Answer<PbsJob> taken = jobs.byId(id).then(holds::takeOver);
        return switch (taken) {
            case Answer.Ok<PbsJob> ok -> Answer.ok(ok.value().key());
            case Answer.Trouble<PbsJob> trouble -> gaveUp(id, owner, trouble);
        };
    }

    /** If the agent may not hold the job, its owner deletes it; the user hold is still set. */
    private Answer<JobKey> gaveUp(final String id, final Runner owner, final Answer.Trouble<PbsJob> trouble) {
        return trouble.kind() == Answer.Kind.DENIED && owner.run(PbsCommand.delete(site, id)) instanceof Answer.Ok<?>
                ? trouble.of()
                : Answer.trouble(
                        Answer.Kind.TIMEOUT,
                        "qsub accepted job " + id + ", which still has its user hold, but: " + trouble.reason());
    }

    @Override
    public UserCommand submit(final UserArray array) {
        return new UserCommand(
                array.with(
                        "-q",
                        List.of(
                                site.program("qsub"),
                                "-N",
                                array.name(),
                                "-J",
                                array.indices(),
                                "-l",
                                "select=1:ncpus=1",
                                "-l",
                                "walltime=" + PbsDuration.write(array.walltime()),
                                "-j",
                                "oe")),
                site.commandEnvironment(),
                array.script(),
                array.directory());
    }

    @Override
    public Answer<DryRunResult> dryRun(final Submission submission) {
        final SubmissionScript translation = translate(submission);
        return translation.dryRun(
                qsub(submission, translation).argv(),
                translation.script(nonces.get()),
                runner.as(submission.owner(), submission.authority()));
    }

    private SubmissionScript translate(final Submission submission) {
        return SubmissionScript.of(WlmType.PBSPRO, WlmFeatures.all(version.get()), site.cluster(), submission);
    }

    private Qsub qsub(final Submission submission, final SubmissionScript translation) {
        final List<String> options = new ArrayList<>(translation.resources());
        options.addAll(translation.options());
        return new Qsub(site, submission, options, ScriptFile.path(submission));
    }
}
