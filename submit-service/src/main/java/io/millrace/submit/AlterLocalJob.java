package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.submit.clusters.ShowClusters;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.LocalJobAlteration;
import io.millrace.submit.domain.submission.ClusterEligibility;
import io.millrace.submit.domain.submission.ClusterOffer;
import io.millrace.submit.domain.submission.Ulid;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Changes a job in the queue of its cluster: a command to the agent, whose answer the caller sees. */
@ApplicationScoped
class AlterLocalJob {

    private final EventPublisher log;
    private final ShowClusters clusters;
    private final CommandAnswers answers;
    private final SubmitSettings settings;
    private final Clock clock;
    private final RandomGenerator random;

    AlterLocalJob(
            final EventPublisher log,
            final ShowClusters clusters,
            final CommandAnswers answers,
            final SubmitSettings settings,
            final Clock clock,
            final RandomGenerator random) {
        this.log = log;
        this.clusters = clusters;
        this.answers = answers;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /** @throws RequestRefused if the workload manager did not change it */
    void alter(final Caller caller, final GlobalJob job, final LocalJobAlteration change) {
        final ClusterId cluster = change.local().cluster();
        final ShowClusters.ClusterDetails details = clusters.all().stream()
                .filter(one -> one.status().marker().cluster().equals(cluster))
                .findFirst()
                .orElseThrow(() -> unavailable("cluster '" + cluster + "' has no agent now"));
        if (!caller.operator()) {
            requireWithinLimits(job, change, details);
        }
        final Command command = command(caller.user(), change, details);
        log.publish(command);
        requireDone(
                cluster,
                answers.await(Set.of(command.id()), settings.alterTimeout()).get(command.id()));
    }

    /** The agent acts as an administrator, and the limits of a partition do not apply to administrators. */
    private static void requireWithinLimits(
            final GlobalJob job, final LocalJobAlteration change, final ShowClusters.ClusterDetails details) {
        final JobSpec spec = change.altered();
        final JobSpec altered = new JobSpec(
                spec.name(),
                spec.script(),
                spec.make(),
                spec.resources(),
                spec.walltime(),
                change.action() instanceof Action.SetPartitions
                        ? spec.partition()
                        : change.local().partition(),
                spec.project(),
                spec.environment(),
                spec.checkpoint(),
                spec.strict());
        ClusterEligibility.runObstacle(
                        job.submission().owner(),
                        altered,
                        TargetRequest.NONE,
                        new ClusterOffer(
                                details.status().marker(),
                                details.partitions(),
                                details.nodes(),
                                details.siteMapping(),
                                details.conditions()))
                .ifPresent(veto -> {
                    throw conflict(veto.reason());
                });
    }

    private Command command(
            final UserName by, final LocalJobAlteration change, final ShowClusters.ClusterDetails details) {
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final Duration validity = settings.alterTimeout();
        final Action action = change.action();
        return new Command(
                CommandId.of("submit:" + action.name() + ":" + action.subject() + ":" + Ulid.random(now, random)),
                change.local().cluster(),
                Issuer.SUBMIT,
                details.status().marker().revision(),
                now,
                now.plus(validity),
                change.preconditions(),
                action,
                by + " requested " + wanted(action));
    }

    private static String wanted(final Action action) {
        if (action instanceof Action.AlterWalltime walltime) {
            return "a walltime of " + walltime.walltime();
        }
        return action instanceof Action.SetPartitions move
                ? "partition " + move.partitions().getFirst()
                : "another name or number of cores";
    }

    private static void requireDone(final ClusterId cluster, final @Nullable Outcome answer) {
        if (answer == null) {
            throw unavailable("the agent of '" + cluster + "' did not answer, so it is unknown whether the job was"
                    + " changed; show the job with mgstat and retry");
        }
        switch (answer.result()) {
            case Result.Done done -> {}
            case Result.Refused refused -> throw conflict(refused.reason());
            case Result.Failed failed -> throw conflict(failed.reason());
            case Result.Unclear unclear -> throw unavailable(unclear.reason());
            case Result.Begun begun -> throw new IllegalStateException("Begun is not an answer");
        }
    }

    private static RequestRefused conflict(final String reason) {
        return new RequestRefused(RequestRefused.Kind.CONFLICT, reason);
    }

    private static RequestRefused unavailable(final String reason) {
        return new RequestRefused(RequestRefused.Kind.UNAVAILABLE, reason);
    }
}
