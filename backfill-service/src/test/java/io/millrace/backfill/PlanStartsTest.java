package io.millrace.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.decide.Changes;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.model.policy.RunTimeQuantile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checkpoint backfill on a live cluster of eight cores: R runs for two hours, H needs all cores, S is long and supports checkpoints. */
class PlanStartsTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final Instant DUE = NOON.plus(Duration.ofHours(2));
    private static final CheckpointMethod SAVES_ITSELF =
            new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1));
    private static final JobState AT_THE_GATE = new JobState.Held(HoldKind.ENTRY);

    private BackfillPolicy policy = new BackfillPolicy(JobOrder.PRIORITY, 1)
            .preemption(CheckpointPreemptionPolicy.PUBLISHED.costs(60, 60).checkpointAhead(true));
    private final Map<String, JobObserved> jobs = new HashMap<>();
    private final List<Plan> published = new ArrayList<>();
    private PlanStarts planner = planner();
    private Set<Capability> capabilities = Set.of(Capability.START, Capability.CHECKPOINT, Capability.REQUEUE);
    private @Nullable String cover;
    private long revision;
    private long offset;

    private PlanStarts planner() {
        return new PlanStarts(new PlannerSettings(policy, Map.of()));
    }

    private static JobKey key(final String id) {
        return new JobKey(new JobId(ALPHA, id), NOON.minusSeconds(3600 - id.charAt(0)));
    }

    private void job(final String id, final int cores, final int hours, final JobState state, final int restarts) {
        jobs.put(
                id,
                new JobObserved(
                        key(id),
                        id,
                        UserName.of("anna"),
                        null,
                        PartitionName.of("main"),
                        state,
                        null,
                        Resources.cores(cores),
                        Duration.ofHours(hours),
                        Eligibility.since(NOON),
                        null,
                        restarts,
                        0,
                        id.equals("S") ? SAVES_ITSELF : new CheckpointMethod.None(),
                        JobDetail.NONE));
    }

    private static JobState running(final Instant since) {
        return new JobState.Running(since, List.of());
    }

    /** Closes a revision with all jobs and returns the commands decided on it. */
    private List<Action> look(final Instant now, final int free) {
        jobs.values().forEach(job -> {
            planner.followed(ALPHA).observed(job);
            final Entitlement borrowed = new Entitlement(job.job(), EntitlementLevel.BORROWED, 0, "for the test");
            planner.entitled(job.job(), cover == null ? borrowed : borrowed.covering(cover));
        });
        planner.followed(ALPHA)
                .observed(new RevisionClosed(
                        ALPHA,
                        ++revision,
                        now,
                        new WlmHealth.Answering(),
                        Control.DIRECTED,
                        "local",
                        Resources.cores(8),
                        Resources.cores(free),
                        capabilities,
                        offset,
                        null,
                        null,
                        Map.of()));
        return decide(now);
    }

    private List<Action> decide(final Instant now) {
        final Changes changes = planner.decide(now);
        final List<Action> actions = new ArrayList<>();
        for (final Event event : changes.events()) {
            switch (event) {
                case Command command -> {
                    actions.add(command.action());
                    planner.followed(ALPHA).issued(command, offset++);
                    planner.followed(ALPHA).answered(command.outcome(new Result.Done(null, "done"), now));
                }
                case Plan plan -> {
                    published.removeIf(old -> old.key().equals(plan.key()));
                    published.add(plan);
                }
                default -> {}
            }
        }
        return actions;
    }

    private Plan plan(final String id) {
        return published.stream()
                .filter(plan -> plan.job().equals(key(id)))
                .findFirst()
                .orElseThrow();
    }

    private void overtakes() {
        job("R", 4, 2, running(NOON), 0);
        job("H", 8, 1, AT_THE_GATE, 0);
        job("S", 4, 10, AT_THE_GATE, 0);
        assertThat(look(NOON, 4)).containsExactly(new Action.Start(key("S")));
        assertThat(plan("S").shortenedEnd()).isEqualTo(NOON.plus(Duration.ofHours(1)));
        job("S", 4, 10, running(NOON), 0);
    }

    @Test
    void a_long_job_is_backfilled_on_a_shrunk_estimate_and_checkpointed_in_time_for_the_head_job() {
        overtakes();

        final Instant before = DUE.minusSeconds(60);
        assertThat(look(before.minusSeconds(30), 0)).as("too early").isEmpty();
        assertThat(look(before, 0)).containsExactly(new Action.Checkpoint(key("S"), SAVES_ITSELF));
        assertThat(plan("H").isGoingFirst()).isTrue();
        assertThat(decide(before.plusSeconds(1))).as("once").isEmpty();

        jobs.remove("R");
        planner.followed(ALPHA).gone(JobObserved.keyOf(key("R")));
        job("S", 4, 8, AT_THE_GATE, 1);
        assertThat(look(DUE, 8)).as("the head, not who was cut for it").containsExactly(new Action.Start(key("H")));
    }

    /** R runs until two hours after noon, H waits for all cores, S asks for ten hours. */
    private void withPublishedEstimates() {
        withEstimates(Estimate.PUBLISHED);
    }

    private void withEstimates(final Estimate source) {
        policy = new BackfillPolicy(JobOrder.PRIORITY, 1).estimate(source);
        planner = planner();
        job("R", 4, 2, running(NOON), 0);
        job("H", 8, 1, AT_THE_GATE, 0);
        job("S", 4, 10, AT_THE_GATE, 0);
    }

    private void expects(final String id, final Duration run) {
        planner.classified(new Classified(key(id), List.of(), List.of())
                .withEstimate(new RunTimeEstimate(run, 60, 8, "user, program, cores, walltime")));
    }

    @Test
    void a_job_is_backfilled_if_its_published_estimate_fits_into_the_gap() {
        withPublishedEstimates();
        expects("S", Duration.ofHours(1));
        assertThat(look(NOON, 4)).containsExactly(new Action.Start(key("S")));
    }

    @ParameterizedTest
    @CsvSource({
        "PUBLISHED,true,true",
        "PUBLISHED_RECENT2,true,false",
        "PUBLISHED_P50,true,true",
        "PUBLISHED_P80,true,true",
        "PUBLISHED_P95,true,false",
        "PUBLISHED_P95,false,true",
        "PUBLISHED_RECENT2,false,true"
    })
    void the_policy_chooses_which_published_estimate_counts(
            final Estimate source, final boolean hasAll, final boolean fits) {
        withEstimates(source);
        final Duration hour = Duration.ofHours(1);
        planner.classified(new Classified(key("S"), List.of(), List.of())
                .withEstimate(
                        !hasAll
                                ? new RunTimeEstimate(hour, 60, 8, "user")
                                : new RunTimeEstimate(
                                        hour,
                                        60,
                                        8,
                                        "user",
                                        List.of(
                                                new RunTimeQuantile(50, hour, 50),
                                                new RunTimeQuantile(80, hour.plusMinutes(30), 75),
                                                new RunTimeQuantile(95, hour.multipliedBy(3), 91)),
                                        hour.multipliedBy(4))));
        assertThat(look(NOON, 4)).isEqualTo(fits ? List.of(new Action.Start(key("S"))) : List.of());
    }

    @Test
    void a_job_whose_published_estimate_does_not_fit_or_is_not_known_waits() {
        withPublishedEstimates();
        assertThat(look(NOON, 4)).isEmpty();
        expects("S", Duration.ofHours(3));
        assertThat(look(NOON.plusSeconds(1), 4)).isEmpty();
    }

    @Test
    void a_published_estimate_changes_neither_the_walltime_nor_how_long_a_running_job_may_keep_its_cores() {
        withPublishedEstimates();
        expects("R", Duration.ofMinutes(10));
        look(NOON, 4);
        assertThat(plan("H").predictedStart()).isEqualTo(DUE);
    }

    @Test
    void preemptible_jobs_and_beneficiaries_survive_a_restart_of_the_service() {
        overtakes();
        restart();
        assertThat(look(DUE.minusSeconds(60), 0)).containsExactly(new Action.Checkpoint(key("S"), SAVES_ITSELF));

        restart();
        jobs.remove("R");
        job("S", 4, 8, AT_THE_GATE, 1);
        assertThat(look(DUE, 8)).containsExactly(new Action.Start(key("H")));
    }

    private void restart() {
        planner = planner();
        published.forEach(plan -> planner.replayed((JobKey) plan.job(), plan));
    }

    @Test
    void the_head_job_keeps_its_reservation_when_the_order_changes_and_after_a_restart() {
        policy = new BackfillPolicy(JobOrder.SJF, 1).keepsHead(true);
        planner = planner();
        job("R", 4, 2, running(NOON), 0);
        job("H", 8, 3, AT_THE_GATE, 0);
        look(NOON, 4);
        assertThat(plan("H").isReserved()).isTrue();

        job("T", 8, 1, AT_THE_GATE, 0);
        look(NOON.plusSeconds(60), 4);
        assertThat(plan("H").position()).as("though T is shorter").isEqualTo(1);

        restart();
        jobs.remove("R");
        assertThat(look(NOON.plusSeconds(120), 8)).containsExactly(new Action.Start(key("H")));
    }

    @Test
    void the_second_reservation_is_kept_when_a_job_ends_early_and_after_a_restart() {
        policy = new BackfillPolicy(JobOrder.FCFS, 2);
        planner = planner();
        job("R", 4, 2, running(NOON), 0);
        job("L", 4, 4, running(NOON), 0);
        job("A", 8, 1, AT_THE_GATE, 0);
        job("B", 4, 2, AT_THE_GATE, 0);
        look(NOON, 0);
        assertThat(plan("A").predictedStart()).isEqualTo(NOON.plusSeconds(4 * 3600));
        assertThat(plan("B").predictedStart()).as("beside L").isEqualTo(NOON.plusSeconds(2 * 3600));
        assertThat(plan("B").isReserved()).isTrue();

        restart();
        jobs.remove("L");
        assertThat(look(NOON.plusSeconds(3600), 4))
                .as("planned anew, A would take from B what B was promised")
                .containsExactly(new Action.Start(key("B")));
    }

    @Test
    void a_job_is_not_preempted_if_the_cluster_does_not_support_its_checkpoint_method() {
        job("R", 4, 2, running(NOON), 0);
        job("H", 8, 1, AT_THE_GATE, 0);
        job("L", 4, 10, AT_THE_GATE, 0);

        assertThat(look(NOON, 4))
                .as("it cannot save itself, so it must not overtake")
                .isEmpty();
    }

    @Test
    void the_next_task_of_an_array_starts_at_the_revision_that_shows_the_one_before() {
        waitingTasks("3-8", 6);
        assertThat(look(NOON, 8)).containsExactly(new Action.Start(key("A")));

        waitingTasks("4-8", 5);
        job("B", 1, 1, running(NOON), 0);
        assertThat(look(NOON.plusSeconds(1), 7)).containsExactly(new Action.Start(key("A")));
    }

    @Test
    void a_job_behind_an_array_is_predicted_to_start_after_the_last_task() {
        job("A", 8, 2, AT_THE_GATE, 0);
        jobs.computeIfPresent("A", (id, array) -> array.with(JobDetail.NONE.with(new ArrayTasks("A", "1-3", 3, null))));
        job("B", 8, 1, AT_THE_GATE, 0);
        job("R", 8, 1, running(NOON), 0);
        look(NOON, 0);

        assertThat(plan("A").predictedStart()).as("its next task").isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(plan("B").predictedStart()).isEqualTo(NOON.plus(Duration.ofHours(1 + 3 * 2)));
    }

    @Test
    void no_task_starts_beyond_the_limit_of_its_array() {
        waitingTasks("3-8", 6);
        jobs.computeIfPresent("A", (id, array) -> array.with(Eligibility.not(Eligibility.Obstacle.ARRAY_LIMIT)));

        assertThat(look(NOON, 8)).isEmpty();
        assertThat(plan("A").vetoes()).extracting(Veto::code).containsExactly("array-limit");
    }

    private void waitingTasks(final String indices, final int tasks) {
        job("A", 1, 1, AT_THE_GATE, 0);
        jobs.computeIfPresent(
                "A", (id, array) -> array.with(JobDetail.NONE.with(new ArrayTasks("A", indices, tasks, null))));
    }

    @Test
    void one_decision_starts_as_many_tasks_of_an_array_as_fit() {
        final JobKey array = entitledTasks("3-5,7,9-20", 16, "3-20");
        assertThat(look(NOON, 8)).containsExactly(Action.Start.tasks(array, "3-5,7,9-12"));
        assertThat(decide(NOON.plusSeconds(1)))
                .as("until a revision shows them")
                .isEmpty();

        entitledTasks("13-20", 8, "3-20");
        assertThat(look(NOON.plusSeconds(2), 3)).containsExactly(Action.Start.tasks(array, "13-15"));
    }

    @Test
    void tasks_that_a_revision_shows_waiting_on_their_own_are_not_started_again() {
        entitledTasks("1-6", 6, "1-6");
        assertThat(look(NOON, 4)).containsExactly(Action.Start.tasks(key("A"), "1-4"));

        offset = 0; // the revision does not include the start
        entitledTasks("5-6", 2, "1-6");
        job("A_3", 1, 1, new JobState.Queued(), 0);
        jobs.computeIfPresent("A_3", (id, task) -> task.with(JobDetail.NONE.with(new ArrayTasks("A", "3", 1, null))));
        assertThat(look(NOON.plusSeconds(1), 1)).as("task 3 takes the core").isEmpty();
    }

    @Test
    void no_more_tasks_start_than_the_entitlement_names_and_the_array_has_slots() {
        entitledTasks("1-6", 6, "1-2");
        assertThat(look(NOON, 8)).containsExactly(Action.Start.tasks(key("A"), "1-2"));

        entitledTasks("3-6", 4, "1-2");
        assertThat(look(NOON.plusSeconds(1), 6)).as("the entitlement is old").isEmpty();
        assertThat(plan("A").vetoes()).extracting(Veto::code).containsExactly("no-entitlement");

        entitledTasks("3-6", 4, "3-6");
        jobs.computeIfPresent(
                "A",
                (id, job) -> job.with(JobDetail.NONE.with(job.detail().array().withFreeSlots(1))));
        assertThat(look(NOON.plusSeconds(2), 6)).containsExactly(Action.Start.tasks(key("A"), "3"));
    }

    @Test
    void an_agent_that_cannot_start_several_tasks_starts_the_next_one() {
        entitledTasks("1-6", 6, "1-6");
        capabilities = Set.of(Capability.START);
        assertThat(look(NOON, 8)).containsExactly(new Action.Start(key("A")));
    }

    @Test
    void a_job_that_is_being_submitted_has_no_plan() {
        job("R", 8, 2, running(NOON), 0);
        job("H", 8, 1, new JobState.Held(HoldKind.SUBMISSION), 0);
        assertThat(look(NOON, 0)).isEmpty();
        assertThat(published).isEmpty();

        job("H", 8, 1, AT_THE_GATE, 0);
        look(NOON.plusSeconds(1), 0);
        assertThat(plan("H").predictedStart()).isEqualTo(DUE);
    }

    private JobKey entitledTasks(final String indices, final int tasks, final String covered) {
        capabilities = Set.of(Capability.START, Capability.START_TASKS);
        waitingTasks(indices, tasks);
        cover = covered;
        return key("A");
    }
}
