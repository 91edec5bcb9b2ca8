package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.migration.domain.view.StartForecast;
import io.millrace.migration.domain.view.UnpromisedCapacity;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Which of the possible clusters a job prefers, by the rule of the site. Of equal ones the first in the order of the candidates. */
final class Preference {

    /**
     * @param reason why it is preferred, without figures that change while it is
     * @param figures the figures of now; empty if there are none
     */
    record Preferred(Candidate candidate, String reason, String figures) {

        Preferred(final Candidate candidate, final String reason) {
            this(candidate, reason, "");
        }
    }

    /** @param promised how often something was promised on the cluster before */
    private record Forecast(int promised, StartForecast starts) {}

    private final MigrationPolicy policy;
    private final UnpromisedCapacity idle;
    private final TransferTimes transfers;
    private final Map<ClusterId, Forecast> forecasts = new HashMap<>();

    Preference(final MigrationPolicy policy, final UnpromisedCapacity idle, final TransferTimes transfers) {
        this.policy = policy;
        this.idle = idle;
        this.transfers = transfers;
    }

    /** The preferred cluster; it may lack idle resources. Empty if no cluster is worth waiting for. */
    Optional<Preferred> of(final GlobalJob job, final List<Candidate> candidates, final Instant now) {
        final ClusterId source = job.submission().source();
        final Optional<Candidate> home =
                candidates.stream().filter(c -> c.id().equals(source)).findFirst();
        final TargetRequest request = job.submission().requested();
        final boolean ownOrder = request.rule() == null && !request.clusters().isEmpty();
        if (!ownOrder && home.filter(Candidate::isAccepted).isPresent()) {
            return home.map(c -> new Preferred(c, startsNow(c, job)));
        }
        final Stream<Candidate> accepted = candidates.stream().filter(Candidate::isAccepted);
        return switch (policy.rule(request)) {
            case PERFORMANCE_ORDER -> accepted.findFirst().map(c -> new Preferred(c, startsNow(c, job)));
            case LEAST_CORE_HOURS ->
                accepted.min(Comparator.comparingDouble(c -> policy.runTimeFactor(c.id())))
                        .map(c -> new Preferred(
                                c,
                                c.id() + ": fewest core-hours, run-time factor " + policy.runTimeFactor(c.id()) + ", "
                                        + cores(c) + " idle cores"));
            case DATA_LOCALITY ->
                home.filter(Candidate::isPossible)
                        .map(c -> new Preferred(c, c.id() + ": the data of the job are there"))
                        .or(() -> accepted.min(Comparator.comparing(c -> transfer(job, c)))
                                .map(c -> new Preferred(c, c.id() + ": shortest transfer, about " + transfer(job, c))));
            case EARLIEST_END -> earliestEnd(job, candidates, now);
        };
    }

    /** Vetoes a cluster on which a job from another one would delay jobs that wait in its queue, if the site puts those first. */
    Optional<Veto> delay(final RequestShape job, final TargetCluster cluster, final Instant now) {
        if (!policy.homeJobsFirst() || cluster.id().equals(job.source())) {
            return Optional.empty();
        }
        return forecast(cluster, now)
                        .start(job.resources().cores(), length(job.walltime(), cluster.id()))
                        .filter(start -> !start.isAfter(now))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(VetoCode.HOME_JOBS_FIRST.veto(
                        cluster.id() + ": enough is idle, but the job would delay jobs that wait in the queue there"));
    }

    private Duration length(final Duration walltime, final ClusterId cluster) {
        return Duration.ofSeconds((long) (walltime.toSeconds() * policy.runTimeFactor(cluster)));
    }

    private String startsNow(final Candidate c, final GlobalJob job) {
        return c.id() + ": " + cores(c) + " idle cores are enough for "
                + job.submission().spec().resources().cores();
    }

    private int cores(final Candidate c) {
        return idle.of(c.cluster()).cores();
    }

    private Duration transfer(final GlobalJob job, final Candidate candidate) {
        return transfers.expected(job.submission().source(), candidate.id());
    }

    private Optional<Preferred> earliestEnd(final GlobalJob job, final List<Candidate> candidates, final Instant now) {
        final Map<Candidate, Instant> ends = new HashMap<>();
        candidates.stream()
                .filter(Candidate::isPossible)
                .forEach(c -> end(job, c, now).ifPresent(end -> ends.put(c, end)));
        return candidates.stream()
                .filter(ends::containsKey)
                .min(Comparator.comparing(ends::get))
                .map(c -> new Preferred(
                        c, c.id() + ": predicted to end there first", ", at " + Objects.requireNonNull(ends.get(c))));
    }

    /** Files are transferred before the job enters the queue. */
    private Optional<Instant> end(final GlobalJob job, final Candidate candidate, final Instant now) {
        final JobSpec spec = job.submission().spec();
        final Duration length = length(spec.walltime(), candidate.id());
        final Instant arrived = now.plus(transfer(job, candidate));
        final Optional<Instant> start = candidate.isAccepted()
                ? Optional.of(now)
                : forecast(candidate.cluster(), now).start(spec.resources().cores(), length);
        return start.map(at -> (at.isAfter(arrived) ? at : arrived).plus(length));
    }

    private StartForecast forecast(final TargetCluster cluster, final Instant now) {
        final int promised = idle.promises(cluster.id());
        final Forecast known = forecasts.get(cluster.id());
        if (known != null && known.promised == promised) {
            return known.starts;
        }
        final StartForecast fresh = StartForecast.of(cluster, idle.of(cluster).cores(), now);
        forecasts.put(cluster.id(), new Forecast(promised, fresh));
        return fresh;
    }
}
