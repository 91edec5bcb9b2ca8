package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes jobs in the queues of their clusters: a command to the agent for each, whose answer the caller sees. */
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

    /** A job and its change. */
    record Requested(GlobalJob job, LocalJobAlteration change) {}

    /** @throws RequestRefused if the workload manager did not change it */
    void alter(final Caller caller, final GlobalJob job, final LocalJobAlteration change) {
        final RequestRefused refusal =
                alter(caller, List.of(new Requested(job, change))).get(job.id());
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Sends all commands before it waits for the answers. Returns the refusals; the jobs without one were changed. */
    Map<GlobalJobId, RequestRefused> alter(final Caller caller, final List<Requested> changes) {
        final List<ShowClusters.ClusterDetails> known = clusters.all();
        final Map<GlobalJobId, Command> sent = new LinkedHashMap<>();
        final Map<GlobalJobId, RequestRefused> refused = new HashMap<>();
        for (final Requested one : changes) {
            try {
                sent.put(one.job().id(), checked(caller, one, known));
            } catch (final RequestRefused refusal) {
                refused.put(one.job().id(), refusal);
            }
        }
        if (sent.isEmpty()) {
            return refused;
        }
        log.publishAll(List.copyOf(sent.values()));
        final Map<CommandId, Outcome> answered = answers.await(
                sent.values().stream().collect(Collectors.toMap(Command::id, Command::cluster)),
                settings.alterTimeout());
        sent.forEach((job, command) -> {
            try {
                requireDone(command.cluster(), answered.get(command.id()));
            } catch (final RequestRefused refusal) {
                refused.put(job, refusal);
            }
        });
        return refused;
    }

    private Command checked(
            final Caller caller, final Requested requested, final List<ShowClusters.ClusterDetails> known) {
        final LocalJobAlteration change = requested.change();
        final ClusterId cluster = change.local().cluster();
        final ShowClusters.ClusterDetails details = known.stream()
                .filter(one -> one.status().marker().cluster().equals(cluster))
                .findFirst()
                .orElseThrow(() -> unavailable("cluster '" + cluster + "' has no agent now"));
        final ClusterOffer offer = new ClusterOffer(
                details.status().marker(),
                details.partitions(),
                details.nodes(),
                details.siteMapping(),
                details.conditions());
        final UserName owner = requested.job().submission().owner();
        if (!caller.operator()) {
            obstacle(owner, change, offer).ifPresent(veto -> {
                throw conflict(veto.reason());
            });
        }
        final Action action = change.action() instanceof Action.SetPartitions
                ? new Action.SetPartitions(
                        change.local().job(),
                        List.of(Objects.requireNonNull(
                                ClusterEligibility.onCluster(owner, change.altered(), TargetRequest.NONE, offer)
                                        .partition())))
                : change.action();
        return command(caller.user(), change, action, details);
    }

    /** The agent acts as an administrator, and the limits of a partition do not apply to administrators. */
    private static Optional<Veto> obstacle(
            final UserName owner, final LocalJobAlteration change, final ClusterOffer offer) {
        return change.action() instanceof Action.SetPartitions
                ? ClusterEligibility.runObstacle(owner, change.altered(), TargetRequest.NONE, offer)
                : ClusterEligibility.queueObstacle(owner, change.altered(), change.local(), offer);
    }

    private Command command(
            final UserName by,
            final LocalJobAlteration change,
            final Action action,
            final ShowClusters.ClusterDetails details) {
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final Duration validity = settings.alterTimeout();
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
