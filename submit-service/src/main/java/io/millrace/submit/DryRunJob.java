package io.millrace.submit;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.ShowClusters.ClusterDetails;
import io.millrace.submit.domain.job.JobRequest;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.job.ValidJob;
import io.millrace.submit.domain.job.Digests;
import io.millrace.submit.domain.job.ScriptDirectives;
import io.millrace.submit.domain.job.JobValidator;
import io.millrace.submit.domain.job.ClusterEligibility;
import io.millrace.submit.domain.job.Ulid;
import io.millrace.submit.identity.SubmissionSigner;
import io.millrace.submit.store.job.Commands;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks clusters how they would take a job, and hands nothing in: each agent answers from its live workload manager. */
@ApplicationScoped
public class DryRunJob {

    /** The signature of a dry run is worth little to anybody else. */
    private static final Duration SIGNATURE_LIFE = Duration.ofMinutes(2);

    private static final long FIRST_PAUSE_MS = 10;
    private static final long LONGEST_PAUSE_MS = 200;

    private final EventPublisher log;
    private final ReadModel model;
    private final ShowClusters clusters;
    private final Commands commands;
    private final SubmissionSigner signer;
    private final SubmitSettings settings;
    private final Clock clock;
    private final RandomGenerator chance;

    DryRunJob(
            final EventPublisher log,
            final ReadModel model,
            final ShowClusters clusters,
            final Commands commands,
            final SubmissionSigner signer,
            final SubmitSettings settings,
            final Clock clock,
            final RandomGenerator chance) {
        this.log = log;
        this.model = model;
        this.clusters = clusters;
        this.commands = commands;
        this.signer = signer;
        this.settings = settings;
        this.clock = clock;
        this.chance = chance;
    }

    /** What can be said of one cluster. */
    public enum Verdict {
        ACCEPTED,
        REFUSED,
        /** It did not answer, or cannot be asked. */
        UNKNOWN
    }

    /**
     * @param because null where it is taken
     * @param rehearsal null where the cluster was not asked or did not answer
     */
    public record ClusterResult(
            ClusterId cluster,
            @Nullable String wlm,
            Verdict verdict,
            @Nullable String because,
            @Nullable DryRunResult rehearsal) {}

    /** @param remarks what is to be known wherever it runs */
    public record DryRunReport(JobSpec spec, List<String> remarks, List<ClusterResult> clusters) {}

    /** @throws io.millrace.submit.domain.RequestRefused if it is no job */
    public DryRunReport rehearse(final Caller caller, final JobRequest asked) {
        final ValidJob checked = JobValidator.rehearsed(asked, model.clusterNames());
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final GlobalJobId id = Ulid.random(now, chance);
        final Map<CommandId, ClusterDetails> sent = new LinkedHashMap<>();
        final List<ClusterResult> taken = new ArrayList<>();
        int number = 0;
        for (final ClusterDetails cluster : clusters.all()) {
            if (checked.target() != null
                    && !checked.target().equals(cluster.heard().marker().cluster())) {
                continue;
            }
            number++;
            final Optional<ClusterResult> beforehand = beforehand(caller, checked, cluster, now);
            if (beforehand.isPresent()) {
                taken.add(beforehand.get());
                continue;
            }
            final Command command = command(caller, checked, cluster, new AttemptId(id, number), now);
            log.put(command);
            sent.put(command.id(), cluster);
        }
        final Map<CommandId, Outcome> answers = answers(sent);
        sent.forEach((command, cluster) -> taken.add(said(cluster, answers.get(command))));
        taken.sort(Comparator.comparing(ClusterResult::cluster));
        return new DryRunReport(
                checked.spec(), new ScriptDirectives(checked.spec().script()).remarks(checked.spec()), List.copyOf(taken));
    }

    /** What is known without asking the cluster. */
    private Optional<ClusterResult> beforehand(
            final Caller caller, final ValidJob checked, final ClusterDetails cluster, final Instant now) {
        final Optional<String> silent = ClusterEligibility.toAsking(cluster.heard(), now, settings.silentAfter());
        if (silent.isPresent()) {
            return Optional.of(taken(cluster, Verdict.UNKNOWN, silent.get(), null));
        }
        return ClusterEligibility.toRunning(
                        caller.user(),
                        checked.spec(),
                        cluster.heard().marker(),
                        cluster.partitions(),
                        cluster.surroundings())
                .map(because -> taken(cluster, Verdict.REFUSED, because, null));
    }

    private Command command(
            final Caller caller,
            final ValidJob checked,
            final ClusterDetails cluster,
            final AttemptId attempt,
            final Instant now) {
        final ClusterId name = cluster.heard().marker().cluster();
        final String root = cluster.heard().marker().stagingRoot();
        final String directory = name.equals(checked.source()) || root == null
                ? checked.directory()
                : root + "/" + caller.user() + "/" + attempt;
        final String signature =
                signer.sign(caller.user(), attempt.job(), Digests.ofScripts(checked.spec()), now, SIGNATURE_LIFE);
        final Action action = new Action.DryRun(attempt, caller.user(), checked.spec(), directory, signature);
        return new Command(
                Command.idOf(Issuer.SUBMIT, action, 0),
                name,
                Issuer.SUBMIT,
                cluster.heard().marker().revision(),
                now,
                now.plus(settings.rehearsalPatience()),
                List.of(),
                action,
                caller.user() + " asks how '" + name + "' would take '"
                        + checked.spec().name() + "'");
    }

    private Map<CommandId, Outcome> answers(final Map<CommandId, ClusterDetails> sent) {
        final long deadline = System.nanoTime() + settings.rehearsalPatience().toNanos();
        long pause = FIRST_PAUSE_MS;
        while (true) {
            final List<Outcome> known = QuarkusTransaction.requiringNew().call(() -> commands.answers(sent.keySet()));
            if (known.size() >= sent.size() || System.nanoTime() > deadline) {
                return known.stream().collect(Collectors.toMap(Outcome::command, Function.identity()));
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for the clusters' answers", e);
            }
            pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
        }
    }

    private ClusterResult said(final ClusterDetails cluster, final @Nullable Outcome answer) {
        if (answer == null) {
            return taken(
                    cluster,
                    Verdict.UNKNOWN,
                    "its agent did not answer within "
                            + settings.rehearsalPatience().toSeconds() + " s; ask again",
                    null);
        }
        return switch (answer.result()) {
            case Result.Done done -> rehearsed(cluster, done);
            case Result.Refused refused -> taken(cluster, Verdict.REFUSED, refused.reason(), null);
            case Result.Failed failed -> taken(cluster, Verdict.REFUSED, failed.reason(), null);
            case Result.Unclear unclear -> taken(cluster, Verdict.UNKNOWN, unclear.reason(), null);
            case Result.Begun begun -> throw new IllegalStateException("begun is no answer");
        };
    }

    private static ClusterResult rehearsed(final ClusterDetails cluster, final Result.Done done) {
        final DryRunResult found = done.dryRun();
        if (found == null) {
            return taken(cluster, Verdict.UNKNOWN, "its agent answered without a translation; is it older?", null);
        }
        final Optional<String> refused = ClusterEligibility.inRehearsal(found);
        return taken(cluster, refused.isPresent() ? Verdict.REFUSED : Verdict.ACCEPTED, refused.orElse(null), found);
    }

    private static ClusterResult taken(
            final ClusterDetails cluster,
            final Verdict verdict,
            final @Nullable String because,
            final @Nullable DryRunResult rehearsal) {
        return new ClusterResult(
                cluster.heard().marker().cluster(), cluster.heard().marker().wlm(), verdict, because, rehearsal);
    }
}
