package io.millrace.migration.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.IgnoredRecords;
import io.millrace.migration.ManageGlobalJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A log in memory, clusters with scripted agents and a transfer service, around the migration under test. */
public final class World {

    /** One entry; {@code gone} marks a tombstone under {@code key}. */
    public record Entry(Object event, ClusterId cluster, String key, Instant at, boolean gone) {}

    public final MigrationPolicy policy;
    public final List<Entry> log = new ArrayList<>();
    public final Map<ClusterId, ScriptedCluster> clusters = new TreeMap<>();
    public final ScriptedTransfers transfers;
    public Instant now = Samples.NOON;
    private ManageGlobalJobs migration;
    private int read;
    private int committed;

    public World(final MigrationPolicy policy) {
        this.policy = policy;
        this.migration = new ManageGlobalJobs(policy, new IgnoredRecords());
        this.transfers = new ScriptedTransfers(this);
    }

    public ScriptedCluster cluster(final ClusterId id, final int cores) {
        final ScriptedCluster cluster = new ScriptedCluster(this, id, cores);
        clusters.put(id, cluster);
        cluster.observe();
        return cluster;
    }

    public void say(final Event event) {
        log.add(new Entry(event, event.cluster(), event.key(), now, false));
    }

    public void gone(final ClusterId cluster, final String key) {
        log.add(new Entry(null, cluster, key, now, true));
    }

    public void pass(final Duration time) {
        now = now.plus(time);
    }

    /** Reads the log to its end and decides until nothing new is said. */
    public void decide() {
        boolean again = true;
        for (int round = 0; again; round++) {
            assertThat(round).as("rounds of deciding without news").isLessThan(20);
            while (read < log.size()) {
                deliver(migration, log.get(read), read);
                read++;
            }
            final List<LogChange> said = migration.decide(now);
            committed = read;
            said.forEach(this::commit);
            again = !said.isEmpty();
        }
    }

    private void commit(final LogChange announcement) {
        switch (announcement) {
            case LogChange.Publish say -> say(say.event());
            case LogChange.WithdrawPlan over -> log.add(new Entry(null, null, over.job() + "/MIGRATION", now, true));
        }
    }

    /** A new process reads the log as the deciding loop would, and must have nothing to say that the old one would not have said. */
    public void restart() {
        final ManageGlobalJobs fresh = new ManageGlobalJobs(policy, new IgnoredRecords());
        for (int i = 0; i < log.size(); i++) {
            final Entry entry = log.get(i);
            final boolean recent = !entry.at().isBefore(now.minus(Duration.ofHours(1)));
            final boolean wanted = switch (entry.event()) {
                case SubmissionEvent s -> i >= committed;
                case RunEnded e -> i >= committed;
                case Request.AvailabilityRequested r -> i >= committed;
                case Command c -> recent;
                case Outcome o -> recent;
                case null, default -> true;
            };
            if (wanted) {
                deliver(fresh, entry, i);
            }
        }
        while (read < log.size()) {
            deliver(migration, log.get(read), read);
            read++;
        }
        final List<LogChange> before = migration.decide(now);
        assertThat(newsOf(fresh.decide(now))).containsExactlyInAnyOrderElementsOf(newsOf(before));
        committed = read;
        before.forEach(this::commit);
        migration = fresh;
    }

    /** A new process may tell the newest figures of a plan a little earlier than the old one would have; nothing else. */
    private List<LogChange> newsOf(final List<LogChange> said) {
        return said.stream()
                .filter(a -> !(a instanceof LogChange.Publish say
                        && say.event() instanceof Plan plan
                        && events(Plan.class, p -> p.key().equals(plan.key())).stream()
                                .reduce((one, two) -> two)
                                .map(Plan::vetoes)
                                .map(World::codes)
                                .equals(Optional.of(codes(plan.vetoes())))))
                .toList();
    }

    private static List<String> codes(final List<Veto> vetoes) {
        return vetoes.stream()
                .map(veto -> PublishedPlans.clusterOf(veto) + veto.code())
                .toList();
    }

    private static void deliver(final ManageGlobalJobs to, final Entry entry, final int offset) {
        if (entry.gone()) {
            if (entry.key().contains(PlanKey.OFFER)
                    && PlanKey.of(entry.key()) instanceof PlanKey.Offer(var cluster, var job)) {
                to.offerWithdrawn(job, cluster);
            } else if (entry.cluster() != null) {
                to.removed(entry.cluster(), entry.key());
            } else {
                to.planWithdrawn(GlobalJobId.of(entry.key().substring(0, 26)));
            }
            return;
        }
        switch (entry.event()) {
            case Classified c -> to.classified((GlobalJobId) c.job(), c.classes());
            case PlacementTable t -> to.placementTable(t);
            case SubmissionEvent event -> to.submitted(event);
            case RunEnded end -> to.ended(end);
            case GlobalJob job -> to.recorded(job);
            case ClusterStateEvent event -> to.observed(event);
            case Command command -> to.issued(command, offset);
            case Outcome outcome -> to.answered(outcome);
            case Transfer transfer -> to.transferred(transfer);
            case Plan plan -> to.planned(plan, entry.at());
            case PlacementOffered offer -> to.offered(offer);
            case Request.AvailabilityRequested request -> to.requested(request);
            case ClusterAvailability decision -> to.decided(decision);
            case Request request -> {}
            default -> throw new IllegalStateException("nobody reads " + entry.event());
        }
    }

    /** Everybody does what is theirs until nothing happens any more; no time passes. */
    public void settle() {
        int before;
        int rounds = 0;
        do {
            assertThat(rounds++).as("rounds without time passing").isLessThan(50);
            before = log.size();
            decide();
            clusters.values().forEach(ScriptedCluster::work);
            transfers.work();
            decide();
        } while (log.size() > before);
    }

    public GlobalJob job(final Samples sample) {
        return events(GlobalJob.class, job -> job.id().equals(sample.id())).getLast();
    }

    public GlobalJobState state(final Samples sample) {
        return job(sample).state();
    }

    public List<Command> commands(final Predicate<Command> which) {
        return events(Command.class, which);
    }

    public Plan plan(final Samples sample) {
        return events(Plan.class, plan -> plan.job().equals(sample.id())).getLast();
    }

    public <E> List<E> events(final Class<E> type, final Predicate<E> which) {
        return log.stream()
                .map(Entry::event)
                .filter(type::isInstance)
                .map(type::cast)
                .filter(which)
                .toList();
    }
}
