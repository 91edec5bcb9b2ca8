package io.millrace.quota.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.Tier;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.policy.UserLock;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.model.quota.Usage;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.quota.QuotaFileEntry;
import io.millrace.quota.domain.quota.QuotaRequests.Answer;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.service.Loops;
import io.millrace.testing.service.TestLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaLoopsIT {

    private static final UserName ANNA = UserName.of("anna");
    private static int clusters;

    private final TestLog log = new TestLog();
    private final ClusterId cluster = ClusterId.of("quota-" + clusters++);

    /** A user of this test only: budgets count a user's runs on all clusters, those of the other tests included. */
    private final UserName bob = UserName.of("bob-" + cluster);

    private final Instant noon = Instant.now().minusSeconds(60);
    private final List<Answer> answers = new CopyOnWriteArrayList<>();
    private Loops loops = start(Optional.of(
            QuotaFileContent.of(new QuotaFileEntry(cluster, ANNA, 4), new QuotaFileEntry(cluster, bob, 4))));

    private Loops start(final Optional<QuotaFileContent> file) {
        return start(file, BudgetRules.NONE);
    }

    private Loops start(final Optional<QuotaFileContent> file, final BudgetRules budgets) {
        return start(file, budgets, QuotaPolicy.DEFAULT);
    }

    private Loops start(final Optional<QuotaFileContent> file, final BudgetRules budgets, final QuotaPolicy policy) {
        final Loops started = QuotaLoops.of(
                log.servers(), policy, 0, budgets, file, Optional.empty(), answers::add, Clock.systemUTC());
        started.start(TestLog.PARTITIONS, 1);
        return started;
    }

    @AfterEach
    void close() {
        loops.close();
        log.close();
    }

    @Test
    void a_revision_marker_leads_to_entitlements_usage_and_a_reclaim() {
        annaFillsTheClusterAndBobWaits();

        final Command reclaim =
                (Command) log.await(Topic.COMMANDS, here(Command.class)).event();
        assertThat(reclaim.action()).isInstanceOfSatisfying(Action.Reclaim.class, action -> {
            assertThat(action.victims()).containsExactly(key("a2"));
            assertThat(action.beneficiary()).isEqualTo(key("b1"));
            assertThat(action.allPreemptions().getFirst().reason()).startsWith("requeued: loses ");
        });
        assertThat(right("a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right("b1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(((Usage) log.await(
                                        Topic.USAGE,
                                        read -> read.event() instanceof Usage u
                                                && u.cluster().equals(cluster)
                                                && u.user().equals(ANNA))
                                .event())
                        .with(null))
                .isEqualTo(new Usage(cluster, ANNA, 4, 4, 0, 4, 8 * 3600));
        assertThat(((Plan) log.await(Topic.PLANS, here(Plan.class)).event()).reason())
                .isEqualTo("within quota: 1 job(s) are preempted for it");
    }

    @Test
    void a_restart_neither_loses_nor_repeats_decisions() {
        annaFillsTheClusterAndBobWaits();
        final Command reclaim =
                (Command) log.await(Topic.COMMANDS, here(Command.class)).event();
        log.await(Topic.PLANS, here(Plan.class));

        loops.close();
        log.put(
                reclaim.outcome(new Result.Done(null, "1 job requeued"), Instant.now()),
                job("a2", ANNA, 4, new JobState.Held(HoldKind.ENTRY)),
                job("b1", bob, 4, running(0)));
        loops = start(Optional.empty());
        log.put(marker(2, 0, Long.MAX_VALUE - 1), job("c1", UserName.of("cleo"), 1, new JobState.Queued()));
        log.put(marker(3, 0, Long.MAX_VALUE - 1));

        log.await(Topic.ENTITLEMENTS, of("c1"));
        assertThat(log.all(Topic.COMMANDS, here(Command.class))).hasSize(1);
        assertThat(log.all(Topic.ENTITLEMENTS, of("a1"))).hasSize(1);
        assertThat(log.all(Topic.ENTITLEMENTS, of("b1"))).hasSize(1);
        log.await(Topic.PLANS, read -> read.isTombstone() && read.key().equals(key("b1") + "/QUOTA"));
        assertThat(log.all(Topic.QUOTAS, here(Quota.class)))
                .as("a start without a file leaves the quotas")
                .hasSize(2);
    }

    @Test
    void values_of_jobs_that_left_are_removed() {
        annaFillsTheClusterAndBobWaits();
        log.await(Topic.ENTITLEMENTS, of("a1"));

        log.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(key("a1")), cluster));
        log.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(key("a2")), cluster));
        log.put(marker(2, 8, 0));

        log.await(
                Topic.ENTITLEMENTS,
                read -> read.isTombstone() && read.key().equals(key("a1").toString()));
        log.await(Topic.USAGE, read -> read.isTombstone() && read.key().equals(cluster + "/anna"));
    }

    @Test
    void an_unreadable_record_goes_to_the_dead_letters_and_processing_continues() {
        final int partition = Topics.shardOf(cluster, TestLog.PARTITIONS);
        final List<Topic> byCluster = List.of(
                Topic.CLUSTER_STATE, Topic.COMMANDS, Topic.OUTCOMES, Topic.ENTITLEMENTS, Topic.USAGE, Topic.PLANS);
        byCluster.forEach(topic -> log.poison(topic, partition, cluster + "/poison"));
        log.poison(Topic.QUOTAS, 0, cluster + "/poison");
        log.poison(Topic.REQUESTS, 0, cluster + "/poison");
        // Readable, but with an invalid key.
        log.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, "No-Cluster/marker", cluster));

        annaFillsTheClusterAndBobWaits();
        log.await(Topic.COMMANDS, here(Command.class));
        log.put(new QuotaRequested(ANNA, cluster, 8, UserName.of("op"), "more", 1, Instant.now(), null, null));
        log.await(
                Topic.QUOTAS, read -> read.event() instanceof Quota q && cluster.equals(q.cluster()) && q.cores() == 8);
        byCluster.forEach(topic -> log.awaitDead(topic, cluster + "/poison"));
        log.awaitDead(Topic.QUOTAS, cluster + "/poison");
        log.awaitDead(Topic.REQUESTS, cluster + "/poison");
        log.awaitDead(Topic.CLUSTER_STATE, "No-Cluster/marker");
    }

    @Test
    void a_lock_on_the_log_holds_the_jobs_of_the_user_until_it_is_lifted() {
        log.await(Topic.QUOTAS, read -> read.key().equals(cluster + "/" + bob));
        log.put(job("b1", bob, 4, new JobState.Held(HoldKind.ENTRY)), marker(1, 0, 0));
        assertThat(right("b1")).isEqualTo(EntitlementLevel.GUARANTEED);

        log.put(new UserLock(bob, true, UserName.of("op"), "stolen laptop", Instant.now()));
        final Entitlement held = (Entitlement) log.await(Topic.ENTITLEMENTS, of("b1").and(with(EntitlementLevel.HELD)))
                .event();
        assertThat(held.veto().code()).isEqualTo("user-locked");
        assertThat(held.reason()).contains("stolen laptop");

        loops.close();
        loops = start(Optional.empty());
        log.put(job("b2", bob, 1, new JobState.Held(HoldKind.ENTRY)), marker(2, 0, 0));
        assertThat(right("b2")).as("after a restart").isEqualTo(EntitlementLevel.HELD);
        log.put(new UserLock(bob, false, UserName.of("op"), "new laptop", Instant.now()));
        log.await(Topic.ENTITLEMENTS, of("b2").and(with(EntitlementLevel.BORROWED)));
    }

    @Test
    void of_two_concurrent_changes_of_a_quota_the_second_is_refused() {
        log.await(Topic.QUOTAS, here(Quota.class));
        log.put(
                new QuotaRequested(ANNA, cluster, 6, UserName.of("op"), "deadline", 1, noon, null, null),
                new QuotaRequested(ANNA, cluster, 2, bob, "too much", 1, noon, null, null));

        final Quota set = (Quota) log.await(
                        Topic.QUOTAS,
                        read -> read.event() instanceof Quota q && cluster.equals(q.cluster()) && q.version() == 2)
                .event();
        assertThat(set.cores()).isEqualTo(6);
        assertThat(set.author()).isEqualTo(UserName.of("op"));
        assertThat(((QuotaRefused) log.await(Topic.QUOTAS, here(QuotaRefused.class))
                                .event())
                        .request()
                        .author())
                .as("the loser stands on the log")
                .isEqualTo(bob);
        assertThat(answers).hasSize(2);
        assertThat(((Answer.Refused) answers.get(1)).reason())
                .isEqualTo("the request is based on version 1, but version 2 (6 cores, by op) is in force; read the"
                        + " current version and retry");

        loops.close();
        loops = start(Optional.of(QuotaFileContent.of(new QuotaFileEntry(cluster, ANNA, 4))));
        log.await(Topic.QUOTAS, read -> read.isTombstone() && read.key().equals(cluster + "/" + bob));
        assertThat(log.all(Topic.QUOTAS, read -> read.key().equals(cluster + "/anna")))
                .as("what a request has set, the file does not take back")
                .hasSize(2);
    }

    @Test
    void a_new_quota_changes_entitlements_at_once() {
        log.put(job("a1", ANNA, 4, running(40)), job("a2", ANNA, 4, running(30)), marker(1, 0, 0));
        log.await(Topic.ENTITLEMENTS, of("a2").and(with(EntitlementLevel.BORROWED)));

        log.put(new QuotaRequested(ANNA, cluster, 8, UserName.of("op"), "more", 1, Instant.now(), null, null));

        log.await(Topic.ENTITLEMENTS, of("a2").and(with(EntitlementLevel.GUARANTEED)));
    }

    @Test
    void a_quota_of_all_clusters_changes_entitlements_on_each_cluster() {
        final UserName cleo = UserName.of("cleo-" + cluster);
        log.put(job("c1", cleo, 4, running(40)), marker(1, 0, 0));
        log.await(Topic.ENTITLEMENTS, of("c1").and(with(EntitlementLevel.BORROWED)));

        log.put(QuotaRequested.of(
                QuotaHolder.of(cleo), null, 4, QuotaTerms.NONE, UserName.of("op"), "more", 0, Instant.now()));

        log.await(Topic.ENTITLEMENTS, of("c1").and(with(EntitlementLevel.GUARANTEED)));
    }

    @Test
    void a_scheduler_that_enforces_quotas_gets_limits_and_tiers() {
        log.await(Topic.QUOTAS, read -> read.key().equals(cluster + "/" + bob));
        log.put(
                job("a1", ANNA, 4, running(40)),
                job("a2", ANNA, 4, running(30)),
                job("b1", bob, 4, new JobState.Queued()),
                job("b2", bob, 1, new JobState.Queued()),
                marker(1, 0, 0, Control.NATIVE, Set.of(Capability.RECLAIM, Capability.TIER, Capability.LIMIT)));

        log.await(Topic.COMMANDS, ordered(new Action.SetLimit(ANNA, 4)));
        log.await(Topic.COMMANDS, ordered(new Action.SetLimit(bob, 4)));
        log.await(Topic.COMMANDS, ordered(new Action.SetTier(key("b1"), Tier.GUARANTEED)));
        log.await(Topic.COMMANDS, ordered(new Action.SetTier(key("b2"), Tier.BORROWED)));
        assertThat(log.all(Topic.COMMANDS, here(Command.class)))
                .as("and nobody is taken off by a reclaim")
                .hasSize(4);
    }

    private Predicate<LogRecord> ordered(final Action action) {
        return here(Command.class)
                .and(read -> read.event() instanceof Command command
                        && command.action().equals(action));
    }

    /** */
    @Test
    void new_rules_change_priorities_and_reach_at_once_and_the_second_of_two_requests_is_refused() {
        final PartitionName fast = PartitionName.of("fast");
        log.put(
                new PartitionObserved(cluster, fast, true, false, 4, null, PartitionLimits.NONE, Access.EVERYBODY),
                job("c1", UserName.of("cleo"), 4, new JobState.Queued()),
                marker(1, 8, 0));
        log.await(Topic.ENTITLEMENTS, of("c1"));
        final PriorityRules wide = rules(Map.of(PriorityTerm.CLASS, 300))
                .withOverflow(List.of(new PartitionOverflow(cluster, null, 300, List.of(fast))));

        log.put(
                new Classified(key("c1"), List.of("wide"), List.of("cores=4")),
                new PriorityRulesRequested(wide, bob, "wide jobs first", 0, noon),
                new PriorityRulesRequested(rules(Map.of(PriorityTerm.CLASS, 500)), ANNA, "mine first", 0, noon));

        log.await(
                Topic.ENTITLEMENTS,
                of("c1").and(read -> read.event() instanceof Entitlement e
                        && e.priority() == 300
                        && e.otherPartitions().equals(List.of(fast))));
        loops.close();
        loops = start(Optional.empty());
        log.put(new PriorityRulesRequested(rules(Map.of()), bob, "as before", 1, noon));
        log.await(Topic.QUOTAS, read -> read.event() instanceof PriorityRulesSet set && set.version() == 2);
        assertThat(log.all(Topic.QUOTAS, read -> read.event() instanceof PriorityRulesSet).stream()
                        .map(read -> ((PriorityRulesSet) read.event()).reason()))
                .containsExactly("wide jobs first", "as before");
    }

    private static PriorityRules rules(final Map<PriorityTerm, Integer> weights) {
        final Duration week = Duration.ofDays(7);
        return new PriorityRules(weights, week, week, Map.of("wide", 100), Map.of(), Map.of(), null);
    }

    @Test
    void an_ended_run_is_charged_once_and_an_exhausted_budget_holds_the_next_job() {
        loops.close();
        final BudgetGrant fourHours =
                new BudgetGrant(PeriodKind.YEAR, 4 * 3600L, null, Refill.AT_START, 0, Exhausted.HOLD, false);
        final BudgetRules budgets = new BudgetRules(
                ZoneId.of("UTC"),
                Tariff.FLAT,
                Map.of(),
                List.of(fourHours),
                GroupMemberships.NONE,
                BudgetRules.CLOSE_AFTER);
        loops = start(Optional.empty(), budgets);
        log.put(job("b1", bob, 4, new JobState.Held(HoldKind.ENTRY)), marker(1, 8, 0));
        log.await(Topic.ENTITLEMENTS, of("b1").and(with(EntitlementLevel.HELD).negate()));

        log.put(end("b0"));

        final LedgerEntry booked =
                (LedgerEntry) log.await(Topic.LEDGER, here(LedgerEntry.class)).event();
        assertThat(booked.cost()).isEqualTo(new ProcessorTime(3600, 0));
        assertThat(log.await(Topic.USAGE, here(Charges.class)).key()).isEqualTo(cluster + "/charges/" + bob + "/-");
        final Entitlement held = (Entitlement) log.await(Topic.ENTITLEMENTS, of("b1").and(with(EntitlementLevel.HELD)))
                .event();
        assertThat(held.reason())
                .contains("leaves too little (1.0 of 4.0 core-hours spent or reserved; the job requests 4.0)");

        loops.close();
        loops = start(Optional.empty(), budgets);
        log.put(end("b0"), job("b2", bob, 3, new JobState.Held(HoldKind.ENTRY)), marker(2, 8, 0));
        log.await(Topic.ENTITLEMENTS, of("b2").and(with(EntitlementLevel.HELD).negate()));
        assertThat(log.all(Topic.LEDGER, here(LedgerEntry.class)))
                .as("the same end, told again to a successor")
                .hasSize(1);

        log.await(Topic.LEDGER, here(LedgerClosed.class));
        final Instant longAgo = noon.minus(Duration.ofDays(60));
        log.put(end("b9", longAgo));
        final LedgerEntry late = (LedgerEntry) log.await(
                        Topic.LEDGER,
                        here(LedgerEntry.class)
                                .and(read -> read.event() instanceof LedgerEntry entry
                                        && entry.job().equals(key("b9"))))
                .event();
        assertThat(late.endedAt()).isEqualTo(longAgo);
        assertThat(late.bookedAt()).as("its month was closed").isAfter(noon);
    }

    /** */
    @Test
    void a_global_job_gets_an_offer_until_it_is_placed() {
        log.await(Topic.QUOTAS, read -> read.key().equals(cluster + "/" + bob));
        log.put(job("a1", ANNA, 4, running(40)), job("a2", ANNA, 4, running(30)), marker(1, 0, 0));
        final JobSubmitted mesh = new JobSubmitted(
                GlobalJobId.of("01JQ" + "%022d".formatted(System.nanoTime() % 1_000_000_000_000L)),
                1,
                bob,
                new JobSpec(
                        "mesh",
                        "#!/bin/sh",
                        null,
                        Resources.cores(4),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                cluster,
                "/home/bob",
                null,
                noon,
                "signed");
        log.put(new GlobalJob(mesh, new GlobalJobState.Waiting("for a cluster"), List.of(), null, noon, 1));

        final Predicate<LogRecord> offer = read -> read.key().equals(cluster + "/offer/" + mesh.job());
        final PlacementOffered offered =
                (PlacementOffered) log.await(Topic.PLANS, offer).event();
        assertThat(offered.victims()).isEqualTo(1);
        assertThat(offered.reason()).contains(bob + " is within quota 4", "1 job(s) would be preempted");
        log.put(new GlobalJob(mesh, new GlobalJobState.Stopped(bob, "enough"), List.of(), null, noon, 2));
        log.await(Topic.PLANS, offer.and(LogRecord::isTombstone));
        assertThat(log.all(Topic.COMMANDS, here(Command.class))).isEmpty();
    }

    /** */
    @Test
    void a_victim_is_suspended_and_another_instance_resumes_it() {
        final QuotaPolicy suspends = QuotaPolicy.DEFAULT.with(new PreemptModePolicy(
                List.of(Preemption.Mode.REQUEUE, Preemption.Mode.SUSPEND), Duration.ofMinutes(2)));
        final Set<Capability> able = Set.of(Capability.START, Capability.RECLAIM, Capability.SUSPEND);
        log.await(Topic.QUOTAS, read -> read.key().equals(cluster + "/" + bob));
        loops.close();
        loops = start(Optional.empty(), BudgetRules.NONE, suspends);
        log.put(
                job("a1", ANNA, 4, running(40)),
                job("a2", ANNA, 4, running(30)),
                job("b1", bob, 4, new JobState.Held(HoldKind.ENTRY)),
                marker(1, 0, 0, Control.DIRECTED, able));
        final Command reclaim =
                (Command) log.await(Topic.COMMANDS, here(Command.class)).event();
        assertThat(((Action.Reclaim) reclaim.action())
                        .allPreemptions()
                        .getFirst()
                        .mode())
                .isEqualTo(Preemption.Mode.SUSPEND);
        log.await(
                Topic.PLANS,
                read -> read.event() instanceof Plan plan
                        && plan.job().equals(key("a2"))
                        && Boolean.TRUE.equals(plan.suspended()));

        loops.close();
        log.put(
                reclaim.outcome(new Result.Done(null, "1 job suspended"), Instant.now()),
                job("a2", ANNA, 4, new JobState.Suspended(noon, List.of(NodeName.of("n1")))),
                node(4));
        log.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(key("b1")), cluster));
        loops = start(Optional.empty(), BudgetRules.NONE, suspends);
        log.put(marker(2, 4, Long.MAX_VALUE - 1, Control.DIRECTED, able));

        log.await(Topic.COMMANDS, ordered(new Action.Resume(key("a2"))));
    }

    private NodeObserved node(final int free) {
        return new NodeObserved(
                cluster,
                NodeName.of("n1"),
                NodeObserved.Availability.UP,
                Resources.cores(8),
                Resources.cores(free),
                null,
                List.of(),
                List.of());
    }

    private RunEnded end(final String job) {
        return end(job, noon);
    }

    private RunEnded end(final String job, final Instant ended) {
        return new RunEnded(
                key(job),
                job,
                null,
                bob,
                null,
                PartitionName.of("main"),
                Resources.cores(1),
                Duration.ofHours(1),
                1,
                ended.minusSeconds(3600),
                ended,
                new RunOutcome.Exited(0),
                0,
                "sacct",
                null);
    }

    private void annaFillsTheClusterAndBobWaits() {
        log.await(Topic.QUOTAS, read -> read.key().equals(cluster + "/" + bob));
        log.put(
                job("a1", ANNA, 4, running(40)),
                job("a2", ANNA, 4, running(30)),
                job("b1", bob, 4, new JobState.Held(HoldKind.ENTRY)),
                marker(1, 0, 0));
    }

    private JobState running(final int minutes) {
        return new JobState.Running(noon.minus(Duration.ofMinutes(minutes)), List.of(NodeName.of("n1")));
    }

    private JobKey key(final String job) {
        return new JobKey(new JobId(cluster, job), noon.minusSeconds(7200));
    }

    private JobObserved job(final String job, final UserName owner, final int cores, final JobState state) {
        return new JobObserved(
                key(job),
                job,
                owner,
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private RevisionClosed marker(final long revision, final int free, final long included) {
        return marker(revision, free, included, Control.DIRECTED, Set.of(Capability.START, Capability.RECLAIM));
    }

    private RevisionClosed marker(
            final long revision,
            final int free,
            final long included,
            final Control control,
            final Set<Capability> capabilities) {
        return new RevisionClosed(
                cluster,
                revision,
                Instant.now(),
                new WlmHealth.Answering(),
                control,
                "local",
                Resources.cores(8),
                Resources.cores(free),
                capabilities,
                included,
                null,
                null,
                Map.of());
    }

    private EntitlementLevel right(final String job) {
        return ((Entitlement) log.await(Topic.ENTITLEMENTS, of(job)).event()).level();
    }

    private Predicate<LogRecord> of(final String job) {
        return read -> read.event() instanceof Entitlement e && e.job().equals(key(job));
    }

    private static Predicate<LogRecord> with(final EntitlementLevel right) {
        return read -> read.event() instanceof Entitlement e && e.level() == right;
    }

    private Predicate<LogRecord> here(final Class<?> type) {
        return read -> type.isInstance(read.event())
                && (read.key().startsWith(cluster + "/") || read.key().equals(cluster.value()));
    }
}
