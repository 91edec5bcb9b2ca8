package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.torque.accounting.AttemptRegistry;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobQuery;
import io.millrace.agent.torque.query.NodeQuery;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueNode;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserCommand;
import io.millrace.agent.wlm.capability.ArrayCommands;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.command.DryRunResult;
import io.millrace.script.WlmType;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Submits jobs as their owner with a user hold, and replaces that hold by Millrace's before the job can start. */
public final class Submissions implements Submitting, ArrayCommands, DryRunning {

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final HoldCommands holds;
    private final AttemptRegistry tags;
    private final Supplier<String> nonces;
    private final Supplier<Answer<TorqueFeatures>> features;

    public Submissions(
            final TorqueSite site,
            final Runner runner,
            final JobLookup jobs,
            final HoldCommands holds,
            final AttemptRegistry tags,
            final Supplier<String> nonces,
            final Supplier<Answer<TorqueFeatures>> features) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
        this.tags = tags;
        this.nonces = nonces;
        this.features = features;
    }

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        return command(submission)
                .then(qsub ->
                        runner.as(submission.owner(), submission.authority()).run(qsub))
                .then(id -> Submission.accepted("qsub", id, takenOver(id, submission)));
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
                                "-t",
                                array.indices(),
                                "-l",
                                "nodes=1:ppn=1,walltime=" + PbsDuration.write(array.walltime()),
                                "-j",
                                "oe")),
                site.commandEnvironment(),
                array.script(),
                array.directory());
    }

    @Override
    public Answer<DryRunResult> dryRun(final Submission submission) {
        return command(submission)
                .then(qsub -> qsub.translation()
                        .dryRun(
                                qsub.argv(),
                                qsub.batchScript(),
                                runner.as(submission.owner(), submission.authority())));
    }

    private Answer<Qsub> command(final Submission submission) {
        if (submission.owner().equals(UserName.of("root"))) {
            return Answer.trouble(Answer.Kind.DENIED, "root cannot submit jobs; use another account");
        }
        return features.get().then(known -> {
            final SubmissionScript translation =
                    SubmissionScript.of(WlmType.TORQUE, known.abilities(), site.cluster(), submission);
            final Optional<String> refusal = translation.refusal();
            return refusal.isPresent()
                    ? Answer.trouble(Answer.Kind.REJECTED, refusal.get())
                    : runner.run(new NodeQuery(site, known.xml()))
                            .map(nodes -> new Qsub(site, submission, translation, largest(nodes), nonces.get()));
        });
    }

    private static int largest(final List<PbsObject> nodes) {
        return nodes.stream()
                .map(TorqueNode::new)
                .mapToInt(TorqueNode::cores)
                .max()
                .orElse(1);
    }

    private Answer<JobKey> takenOver(final String id, final Submission submission) {
        return jobs.byIds(List.of(id)).then(found -> {
            final Optional<TorqueJob> job = JobQuery.named(found, id).stream().findFirst();
            if (job.isEmpty()) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "qstat cannot find it");
            }
            final JobKey key = job.get().key(site.cluster());
            tags.record(key, submission.attempt(), submission.owner());
            return holds.takeOver(job.get()).map(held -> key);
        });
    }
}
