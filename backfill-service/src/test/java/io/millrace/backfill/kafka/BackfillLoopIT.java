package io.millrace.backfill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.PlannerSettings;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.protocol.Topic;
import io.millrace.service.Loops;
import io.millrace.testing.service.TestLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackfillLoopIT {

    private static final JobState WAITING = new JobState.Held(HoldKind.ENTRY);
    private static int clusters;

    private final TestLog log = new TestLog();
    private final ClusterId cluster = ClusterId.of("backfill-" + clusters++);
    private final Instant began = Instant.now().minusSeconds(60);
    private Loops loop = start();

    private Loops start() {
        final Loops started =
                BackfillLoop.of(log.servers(), new PlannerSettings(BackfillPolicy.EASY, Map.of()), Clock.systemUTC());
        started.start(TestLog.PARTITIONS, 1);
        return started;
    }

    @AfterEach
    void close() {
        loop.close();
        log.close();
    }

    /** R runs for two more hours on four of eight cores; H needs six, S is short, L is long. */
    private void headJobWaits() {
        entitle("H", "S", "L");
        log.put(
                job("R", 4, 2, new JobState.Running(began, List.of(NodeName.of("n1")))),
                job("H", 6, 1, WAITING),
                job("S", 3, 1, WAITING),
                job("L", 3, 9, WAITING),
                marker(1, 4, Control.DIRECTED));
    }

    @Test
    void a_closed_revision_leads_to_starts_plans_and_a_plan_marker() {
        headJobWaits();

        final Command start =
                (Command) log.await(Topic.COMMANDS, here(Command.class)).event();
        assertThat(start.action()).isEqualTo(new Action.Start(key("S")));
        assertThat(start.preconditions())
                .containsExactly(new Precondition.JobWaits(key("S")), new Precondition.IdleCores(3));
        assertThat(start.reason()).startsWith("backfilled: 3 of 4 idle cores, ends before the reservation of");
        final Plan head = (Plan) log.await(Topic.PLANS, planOf("H")).event();
        assertThat(head.predictedStart()).isBetween(began.plusSeconds(7200), began.plusSeconds(7202));
        assertThat(head.position()).isEqualTo(1);
        assertThat(log.await(Topic.PLANS, planOf("L")).event()).isInstanceOf(Plan.class);
        assertThat(((PlanClosed) log.await(Topic.PLANS, here(PlanClosed.class)).event()).revision())
                .isEqualTo(1);
        assertThat(log.all(Topic.PLANS, planOf("S"))).isEmpty();
    }

    /** Q-71. */
    @Test
    void a_job_starts_in_the_partition_that_its_priority_opens_if_its_own_is_full_and_waits_without_one() {
        final PartitionName fast = PartitionName.of("fast");
        entitle("L");
        log.put(
                new Entitlement(key("S"), EntitlementLevel.BORROWED, 5350, "for the test")
                        .withOtherPartitions(List.of(fast)),
                new PartitionObserved(
                        cluster, PartitionName.of("main"), true, true, 4, null, PartitionLimits.NONE, Access.EVERYBODY),
                new PartitionObserved(cluster, fast, true, false, 4, null, PartitionLimits.NONE, Access.EVERYBODY),
                job("R", 4, 2, new JobState.Running(began, List.of())),
                job("L", 1, 1, WAITING),
                job("S", 3, 1, WAITING),
                marker(1, 4, Control.DIRECTED, Capability.START, Capability.MOVE));

        log.await(Topic.PLANS, here(PlanClosed.class));
        assertThat(log.all(Topic.COMMANDS, here(Command.class)))
                .extracting(read -> ((Command) read.event()).action())
                .containsExactly(new Action.Start(key("S"), fast));
        assertThat(log.all(Topic.PLANS, planOf("L"))).isNotEmpty();
    }

    @Test
    void an_entitlement_after_the_revision_starts_the_job() {
        log.put(job("A", 2, 1, WAITING), marker(1, 8, Control.DIRECTED));
        assertThat(((Plan) log.await(Topic.PLANS, planOf("A")).event())
                        .vetoes()
                        .getFirst()
                        .code())
                .isEqualTo(VetoCode.NO_ENTITLEMENT.code());

        entitle("A");

        log.await(Topic.COMMANDS, here(Command.class));
        log.await(Topic.PLANS, read -> read.isTombstone() && read.key().equals(key("A") + "/BACKFILL"));
    }

    @Test
    void a_restart_loses_nothing_and_repeats_nothing() {
        headJobWaits();
        log.await(Topic.COMMANDS, here(Command.class));
        log.await(Topic.PLANS, here(PlanClosed.class));

        loop.close();
        entitle("N");
        log.put(job("N", 1, 1, WAITING), marker(2, 4, Control.DIRECTED));
        loop = start();

        log.await(
                Topic.PLANS,
                read -> read.event() instanceof PlanClosed p && p.cluster().equals(cluster) && p.revision() == 2);
        assertThat(log.all(Topic.COMMANDS, here(Command.class)))
                .extracting(read -> ((Command) read.event()).action())
                .containsExactly(new Action.Start(key("S")), new Action.Start(key("N")));
        assertThat(log.all(Topic.PLANS, planOf("H"))).hasSize(1);
        assertThat(log.all(
                        Topic.PLANS,
                        read -> read.event() instanceof PlanClosed p
                                && p.cluster().equals(cluster)))
                .hasSize(2);
    }

    @Test
    void a_refused_start_is_retried_on_the_next_revision() {
        entitle("A");
        log.put(job("A", 2, 1, WAITING), marker(1, 8, Control.DIRECTED));
        final Command first =
                (Command) log.await(Topic.COMMANDS, here(Command.class)).event();
        log.put(first.outcome(new Result.Refused(Refusal.STALE, "only 1 core is idle"), Instant.now()));
        log.await(
                Topic.PLANS,
                planOf("A").and(read -> ((Plan) read.event()).reason().contains("only 1 core is idle")));
        log.put(marker(2, 8, Control.DIRECTED));

        final Command second = (Command) log.await(
                        Topic.COMMANDS, here(Command.class).and(read -> ((Command) read.event()).basedOn() == 2))
                .event();
        assertThat(second.id()).isEqualTo(Command.idOf(Issuer.BACKFILL, first.action(), 1));
        assertThat(log.all(Topic.COMMANDS, here(Command.class))).hasSize(2);
    }

    @Test
    void a_native_cluster_gets_only_a_plan_marker() {
        entitle("A");
        log.put(job("A", 2, 1, new JobState.Queued()), marker(1, 8, Control.NATIVE));
        log.put(marker(2, 8, Control.NATIVE));

        log.await(
                Topic.PLANS,
                read -> read.event() instanceof PlanClosed p && p.cluster().equals(cluster) && p.revision() == 2);
        assertThat(log.all(Topic.COMMANDS, here(Command.class))).isEmpty();
        assertThat(log.all(Topic.PLANS, here(Plan.class))).isEmpty();
    }

    @Test
    void an_unreadable_record_on_any_input_goes_to_the_dead_letters_and_planning_continues() {
        final int partition = Topics.shardOf(cluster, TestLog.PARTITIONS);
        final List<Topic> inputs =
                List.of(Topic.CLUSTER_STATE, Topic.COMMANDS, Topic.OUTCOMES, Topic.ENTITLEMENTS, Topic.PLANS);
        inputs.forEach(topic -> log.poison(topic, partition, cluster + "/poison"));
        // Readable, but with an invalid job key.
        log.send(OutgoingEvent.remove(Topic.ENTITLEMENTS, "no job", cluster));

        headJobWaits();

        log.await(Topic.COMMANDS, here(Command.class));
        inputs.forEach(topic -> log.awaitDead(topic, cluster + "/poison"));
        log.awaitDead(Topic.ENTITLEMENTS, "no job");
    }

    private void entitle(final String... jobs) {
        for (final String job : jobs) {
            log.put(new Entitlement(key(job), EntitlementLevel.BORROWED, 0, "for the test"));
        }
    }

    private JobKey key(final String job) {
        final int order = "RHSLNA".indexOf(job);
        return new JobKey(new JobId(cluster, job), began.minusSeconds(600 - order));
    }

    private JobObserved job(final String job, final int cores, final int hours, final JobState state) {
        return new JobObserved(
                key(job),
                job,
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                Duration.ofHours(hours),
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private RevisionClosed marker(final long revision, final int free, final Control control) {
        return marker(revision, free, control, Capability.START);
    }

    private RevisionClosed marker(
            final long revision, final int free, final Control control, final Capability... capabilities) {
        return new RevisionClosed(
                cluster,
                revision,
                Instant.now(),
                new WlmHealth.Answering(),
                control,
                "local",
                Resources.cores(8),
                Resources.cores(free),
                Set.of(capabilities),
                0,
                null,
                null,
                Map.of());
    }

    private Predicate<LogRecord> planOf(final String job) {
        return read -> read.event() instanceof Plan plan && plan.job().equals(key(job));
    }

    private Predicate<LogRecord> here(final Class<?> type) {
        return read -> type.isInstance(read.event())
                && (read.key().startsWith(cluster + "/") || read.key().equals(cluster.value()));
    }
}
