package io.millrace.submit;

import io.millrace.model.AttemptId;
import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.clusters.ShowClusters;
import io.millrace.submit.clusters.ShowClusters.ClusterDetails;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.submission.ClusterEligibility;
import io.millrace.submit.domain.submission.ClusterOffer;
import io.millrace.submit.domain.submission.DependencyValidator;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.domain.submission.JobValidator;
import io.millrace.submit.domain.submission.MailSender;
import io.millrace.submit.domain.submission.ScriptDirectives;
import io.millrace.submit.domain.submission.Ulid;
import io.millrace.submit.domain.submission.ValidJob;
import io.millrace.submit.files.MeasureInputs;
import io.millrace.submit.identity.Issuers;
import io.millrace.submit.identity.Projects;
import io.millrace.submit.identity.SubmissionSigner;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Requests a dry run of a job from each cluster. Each agent answers with the result of its workload manager. */
@ApplicationScoped
public class DryRunJob {

    private final EventPublisher log;
    private final KnownClusters known;
    private final ShowClusters clusters;
    private final CommandAnswers commands;
    private final MeasureInputs inputs;
    private final Issuers issuers;
    private final Projects projects;
    private final SubmissionSigner signer;
    private final CheckFeasibility feasibility;
    private final MailServer mail;
    private final ReadModel model;
    private final Clock clock;
    private final RandomGenerator random;

    DryRunJob(
            final EventPublisher log,
            final KnownClusters known,
            final ShowClusters clusters,
            final CommandAnswers commands,
            final MeasureInputs inputs,
            final Issuers issuers,
            final Projects projects,
            final SubmissionSigner signer,
            final CheckFeasibility feasibility,
            final MailServer mail,
            final ReadModel model,
            final Clock clock,
            final RandomGenerator random) {
        this.log = log;
        this.known = known;
        this.clusters = clusters;
        this.commands = commands;
        this.inputs = inputs;
        this.issuers = issuers;
        this.projects = projects;
        this.signer = signer;
        this.feasibility = feasibility;
        this.mail = mail;
        this.model = model;
        this.clock = clock;
        this.random = random;
    }

    /** The result for one cluster. */
    public enum Verdict {
        ACCEPTED,
        REFUSED,
        /** The cluster did not answer or does not support dry runs. */
        UNKNOWN
    }

    /**
     * @param reason null if accepted
     * @param dryRun null if no command was sent to the cluster or it did not answer
     */
    public record ClusterResult(
            ClusterId cluster,
            @Nullable String wlm,
            Verdict verdict,
            @Nullable String reason,
            @Nullable DryRunResult dryRun) {}

    /**
     * @param notes notes that apply to every cluster
     * @param inputs the files that would be copied to another cluster; null if no other cluster was asked
     */
    public record DryRunReport(
            JobSpec spec, List<String> notes, MeasureInputs.@Nullable Measured inputs, List<ClusterResult> clusters) {}

    /** @throws io.millrace.submit.domain.RequestRefused if the request is invalid */
    public DryRunReport dryRun(final Caller caller, final JobRequest request) {
        final ValidJob requested = MailSender.applied(
                JobValidator.validate(request, known.names(), known::lsfMemory, model.namedBy(caller)),
                mail.isConfigured());
        issuers.requireSource(caller, requested.source());
        projects.requireMember(caller.user(), requested.spec().project());
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final GlobalJobId id = Ulid.random(now, random);
        final ValidJob checked = requested.isBatch()
                ? requested.jobs(BatchId.around(id), 1).getFirst().job()
                : requested;
        final Map<CommandId, ClusterDetails> sent = new LinkedHashMap<>();
        final List<ClusterResult> results = new ArrayList<>();
        int number = 0;
        for (final ClusterDetails cluster : clusters.all()) {
            final ClusterId name = cluster.status().marker().cluster();
            if (checked.target() == null
                    ? !checked.request().allows(name)
                    : !checked.target().equals(name)) {
                continue;
            }
            number++;
            final Optional<ClusterResult> early = early(caller, checked, cluster, now);
            if (early.isPresent()) {
                results.add(early.get());
                continue;
            }
            final Command command = command(caller, checked, cluster, new AttemptId(id, number), now);
            log.publish(command);
            sent.put(command.id(), cluster);
        }
        // While the clusters examine the job.
        final MeasureInputs.Measured measured = sent.values().stream()
                        .anyMatch(other -> !other.status().marker().cluster().equals(checked.source()))
                ? inputs.measure(
                        caller,
                        id,
                        checked.source(),
                        checked.directory(),
                        checked.files().inputs())
                : null;
        final Map<CommandId, Outcome> answers = commands.await(
                sent.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                one -> one.getValue().status().marker().cluster())),
                SubmitSettings.DRY_RUN_TIMEOUT);
        sent.forEach((command, cluster) -> results.add(result(cluster, answers.get(command))));
        results.sort(Comparator.comparing(ClusterResult::cluster));
        return new DryRunReport(
                checked.spec(), notes(caller, request, checked, id, now), measured, List.copyOf(results));
    }

    private List<String> notes(
            final Caller caller,
            final JobRequest request,
            final ValidJob checked,
            final GlobalJobId id,
            final Instant now) {
        final List<String> notes = new ArrayList<>(new ScriptDirectives(checked.spec()).notes(checked.spec()));
        notes.addAll(DependencyValidator.notes(request, checked));
        notes.addAll(feasibility.unlistedNames(new JobSubmitted(
                id,
                1,
                caller.user(),
                checked.spec(),
                checked.source(),
                checked.directory(),
                checked.target(),
                now,
                "",
                null,
                checked.dependency(),
                checked.request(),
                checked.files())));
        return notes;
    }

    /** The result, if it is known without a command to the cluster. */
    private Optional<ClusterResult> early(
            final Caller caller, final ValidJob checked, final ClusterDetails cluster, final Instant now) {
        final Optional<String> obstacle =
                ClusterEligibility.dryRunObstacle(cluster.status(), now, SubmitSettings.UNAVAILABLE_AFTER);
        if (obstacle.isPresent()) {
            return Optional.of(clusterResult(cluster, Verdict.UNKNOWN, obstacle.get(), null));
        }
        return ClusterEligibility.issuerObstacle(
                        caller.issuer(), cluster.status().marker().cluster(), cluster.siteMapping())
                .or(() -> ClusterEligibility.runObstacle(
                        caller.user(), checked.spec(), checked.request(), offer(cluster)))
                .map(veto -> clusterResult(cluster, Verdict.REFUSED, veto.reason(), null));
    }

    private static ClusterOffer offer(final ClusterDetails cluster) {
        return new ClusterOffer(
                cluster.status().marker(),
                cluster.partitions(),
                cluster.nodes(),
                cluster.siteMapping(),
                cluster.conditions());
    }

    private Command command(
            final Caller caller,
            final ValidJob checked,
            final ClusterDetails cluster,
            final AttemptId attempt,
            final Instant now) {
        final ClusterId name = cluster.status().marker().cluster();
        final String root = cluster.status().marker().stagingRoot();
        final String directory = name.equals(checked.source()) || root == null
                ? checked.directory()
                : Authorization.stagingDirectory(root, caller.user(), attempt);
        final String signature = signer.dryRun(
                new Authorization.Origin(
                        caller.user(), caller.issuer(), attempt.job(), name, directory, FileFilters.NONE),
                checked.spec(),
                now);
        final Action action = new Action.DryRun(
                attempt,
                caller.user(),
                ClusterEligibility.onCluster(caller.user(), checked.spec(), checked.request(), offer(cluster)),
                directory,
                signature);
        return new Command(
                Command.idOf(Issuer.SUBMIT, action, 0),
                name,
                Issuer.SUBMIT,
                cluster.status().marker().revision(),
                now,
                now.plus(SubmitSettings.DRY_RUN_TIMEOUT),
                List.of(),
                action,
                caller.user() + " requested a dry run on '" + name + "' of job '"
                        + checked.spec().name() + "'");
    }

    private ClusterResult result(final ClusterDetails cluster, final @Nullable Outcome answer) {
        if (answer == null) {
            return clusterResult(
                    cluster,
                    Verdict.UNKNOWN,
                    "its agent did not answer within " + SubmitSettings.DRY_RUN_TIMEOUT.toSeconds() + " s; retry",
                    null);
        }
        return switch (answer.result()) {
            case Result.Done done -> answered(cluster, done);
            case Result.Refused refused -> clusterResult(cluster, Verdict.REFUSED, refused.reason(), null);
            case Result.Failed failed -> clusterResult(cluster, Verdict.REFUSED, failed.reason(), null);
            case Result.Unclear unclear -> clusterResult(cluster, Verdict.UNKNOWN, unclear.reason(), null);
            case Result.Begun begun -> throw new IllegalStateException("Begun is not an answer");
        };
    }

    private static ClusterResult answered(final ClusterDetails cluster, final Result.Done done) {
        final DryRunResult translation = done.dryRun();
        if (translation == null) {
            return clusterResult(
                    cluster, Verdict.UNKNOWN, "its agent answered without a translation; update the agent", null);
        }
        final Optional<String> refused = ClusterEligibility.agentRefusal(translation);
        return clusterResult(
                cluster, refused.isPresent() ? Verdict.REFUSED : Verdict.ACCEPTED, refused.orElse(null), translation);
    }

    private static ClusterResult clusterResult(
            final ClusterDetails cluster,
            final Verdict verdict,
            final @Nullable String reason,
            final @Nullable DryRunResult dryRun) {
        return new ClusterResult(
                cluster.status().marker().cluster(), cluster.status().marker().wlm(), verdict, reason, dryRun);
    }
}
