package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.DryRunResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What an adapter must do with a capability that its installation offers; one that is not offered is said with its reason. */
public abstract class CapabilityContract extends ContractScene {

    /** Whether this installation offers it; an adapter that could do it, but not here, must say why. */
    private boolean isOffered(final Capability capability) {
        final Offer offer = Offer.of(wlm);
        if (!offer.capabilities().contains(capability) && Offer.implemented(wlm).contains(capability)) {
            assertThat(offer.withheld().get(capability))
                    .as("why %s is not offered", capability)
                    .isNotBlank();
        }
        return offer.capabilities().contains(capability);
    }

    @Test
    void what_is_offered_is_what_this_installation_allows() {
        final Offer offer = Offer.of(wlm);
        final Set<Capability> expected = cluster.offers();
        if (expected != null) {
            assertThat(offer.capabilities()).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(offer.capabilities())
                .contains(Capability.START, Capability.HOLD, Capability.REQUEUE, Capability.RECLAIM)
                .contains(Capability.SIGNAL, Capability.ACCOUNTING, Capability.TRANSFER);
        assertThat(offer.notes())
                .allSatisfy((capability, sentence) ->
                        assertThat(sentence).as(capability.name()).isNotBlank().doesNotContain("\n"));
        assertThat(wlm.version()).isNotBlank();
    }

    // ---- walltime

    @Test
    void the_walltime_limit_of_a_waiting_job_can_be_altered() {
        if (!isOffered(Capability.ALTER)) {
            return;
        }
        final JobKey job = submit(attempt(), spec("altered", SLEEP));

        assertAccepted(altering().setWalltime(job, Duration.ofMinutes(7)));
        await("7 minutes", () -> observed(job).walltime(), Duration.ofMinutes(7)::equals);
        assertAccepted(altering().setWalltime(job, Duration.ofHours(30)));
        await("more than a day", () -> observed(job).walltime(), Duration.ofHours(30)::equals);
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Test
    void name_and_cores_of_a_waiting_job_are_altered_or_clearly_not() {
        if (!isOffered(Capability.ALTER)) {
            return;
        }
        final JobKey job = submit(attempt(), spec("before", SLEEP));

        assertAccepted(altering().alterPending(job, "after", null));
        await("the name", () -> observed(job).name(), "after"::equals);
        switch (altering().alterPending(job, "third", 2)) {
            case Answer.Ok<Accepted> ok -> {
                await("2 cores", () -> observed(job).resources().cores(), cores -> cores == 2);
                assertThat(observed(job).name()).isEqualTo("third");
            }
            case Answer.Trouble<Accepted> trouble -> {
                assertTrouble(trouble, Answer.Kind.REJECTED, "stop it and submit it again");
                assertThat(observed(job).name()).isEqualTo("after");
                assertThat(observed(job).resources().cores()).isEqualTo(1);
            }
        }
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertTrouble(altering().alterPending(nobody(), "other", null), Answer.Kind.NO_SUCH_JOB, "987654");
    }

    @Test
    void a_waiting_job_is_moved_to_another_partition_with_its_hold() {
        if (!isOffered(Capability.ALTER)) {
            return;
        }
        final JobKey job = submit(attempt(), spec("moved", SLEEP));
        final PartitionName home = observed(job).partition();
        final PartitionName other = cluster.otherPartition() == null ? home : cluster.otherPartition();

        assertAccepted(altering().setPartition(job, other));
        await("the partition " + other, () -> observed(job).partition(), other::equals);
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(altering().setPartition(job, PartitionName.of("nowhere")))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED));
        assertThat(observed(job).partition()).isEqualTo(other);
        assertTrouble(altering().setPartition(nobody(), home), Answer.Kind.NO_SUCH_JOB, "987654");
    }

    @Test
    void name_and_cores_of_a_running_job_stay() {
        if (!isOffered(Capability.ALTER)) {
            return;
        }
        final JobKey job = run(spec("running", SLEEP));
        awaitRunning(job);

        assertTrouble(
                altering().alterPending(job, "other", null),
                Answer.Kind.WRONG_STATE,
                job.id().local());
        assertTrouble(
                altering().setPartition(job, observed(job).partition()),
                Answer.Kind.WRONG_STATE,
                job.id().local());
        assertThat(observed(job).name()).isEqualTo("running");
    }

    @Test
    void a_job_put_back_runs_on_with_the_walltime_it_was_given_since() {
        if (!isOffered(Capability.ALTER)) {
            return;
        }
        final JobKey job = run(spec("rest", SLEEP));
        awaitRunning(job);
        assertAccepted(wlm.get(Requeueing.class).requeueHeld(job));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));

        assertAccepted(altering().setWalltime(job, Duration.ofMinutes(6)));
        await("6 minutes", () -> observed(job).walltime(), Duration.ofMinutes(6)::equals);
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertAccepted(starting().start(job));
        awaitRunning(job);
        assertThat(observed(job).walltime()).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void the_walltime_limit_of_a_running_job_is_altered_or_clearly_not() {
        if (!isOffered(Capability.ALTER)) {
            return;
        }
        final JobKey job = run(spec("longer", SLEEP));
        awaitRunning(job);

        switch (altering().setWalltime(job, Duration.ofMinutes(20))) {
            case Answer.Ok<Accepted> ok ->
                await("20 minutes", () -> observed(job).walltime(), Duration.ofMinutes(20)::equals);
            case Answer.Trouble<Accepted> trouble -> {
                assertTrouble(trouble, Answer.Kind.WRONG_STATE, job.id().local());
                assertThat(observed(job).walltime()).isEqualTo(Duration.ofMinutes(10));
            }
        }
    }

    // ---- several tasks of an array

    @Test
    void several_tasks_of_an_array_start_together_and_none_of_them_again() {
        if (!isOffered(Capability.START_TASKS) || !cluster.userSubmitsArray("many", SLEEP, "2,5-7")) {
            return;
        }
        final JobKey array = await("the array", () -> observe().jobs(), jobs -> jobs.size() == 1)
                .get(0)
                .job();

        assertStarted(arrayStarting().start(array, "2,6"), "2,6");
        await("tasks 2 and 6", this::runningTasks, Set.of("2", "6")::equals);
        assertThat(waitingTasks()).isEqualTo("5,7");

        assertStarted(arrayStarting().start(array, "5-6"), "5");
        await("task 5", this::runningTasks, Set.of("2", "5", "6")::equals);
        assertThat(waitingTasks()).isEqualTo("7");
        assertThat(arrayStarting().start(array, "2,5-6"))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.isJobGone()).isTrue());
        assertThat(waitingTasks()).isEqualTo("7");
        assertTrouble(arrayStarting().start(nobody(), "1-2"), Answer.Kind.NO_SUCH_JOB, "987654");
        assertAccepted(wlm.cancel(array)); // with its tasks that run
    }

    private static void assertStarted(final Answer<StartedTasks> answer, final String indices) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Ok.class,
                        ok -> assertThat(((StartedTasks) ok.value()).indices()).isEqualTo(indices));
    }

    private Set<String> runningTasks() {
        return observe().jobs().stream()
                .filter(job -> job.state() instanceof JobState.Running)
                .map(job -> job.detail().array().indices())
                .collect(Collectors.toSet());
    }

    /** The indices in the record of the array; Slurm lists the last one on its own. */
    private String waitingTasks() {
        return observe().jobs().stream()
                .filter(job -> job.state().isWaiting() && job.resources().cores() > 0)
                .map(job -> job.detail().array().indices())
                .collect(Collectors.joining(";"));
    }

    private ArrayStarting arrayStarting() {
        return wlm.get(ArrayStarting.class);
    }

    // ---- other partitions

    @Test
    void a_job_started_in_another_partition_runs_there_and_shows_it() {
        final PartitionName other = cluster.otherPartition();
        if (other == null || !isOffered(Capability.MOVE)) {
            return;
        }
        final JobKey job = atTheGate("elsewhere");
        assertThat(observed(job).partition()).isNotEqualTo(other);

        assertAccepted(moving().start(job, other));
        assertThat(awaitRunning(job).partition()).isEqualTo(other);
        assertTrouble(
                moving().start(job, other), Answer.Kind.WRONG_STATE, job.id().local());
        assertThat(observed(job).partition()).isEqualTo(other);

        assertAccepted(wlm.get(Requeueing.class).requeueHeld(job));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        assertAccepted(moving().start(job, observed(job).partition()));
        awaitRunning(job);
    }

    @Test
    void a_job_refused_by_another_partition_waits_where_it_did() {
        if (!isOffered(Capability.MOVE)) {
            return;
        }
        final JobKey job = atTheGate("refused");
        final PartitionName home = observed(job).partition();

        final Answer<Accepted> refused = moving().start(job, PartitionName.of("nowhere"));
        assertTrouble(refused, Answer.Kind.REJECTED, "nowhere");
        assertThat(observed(job).partition()).isEqualTo(home);
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertTrouble(moving().start(nobody(), home), Answer.Kind.NO_SUCH_JOB, "987654");

        assertAccepted(starting().start(job));
        assertThat(awaitRunning(job).partition()).isEqualTo(home);
    }

    @Test
    void a_job_that_its_owner_holds_is_not_moved() {
        final PartitionName other = cluster.otherPartition();
        if (other == null || !isOffered(Capability.MOVE)) {
            return;
        }
        final JobKey job = atTheGate("held");
        final PartitionName home = observed(job).partition();
        cluster.userHolds(job);
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.USER)));

        assertTrouble(
                moving().start(job, other), Answer.Kind.WRONG_STATE, job.id().local());
        assertThat(observed(job).partition()).isEqualTo(home);
    }

    @Test
    void of_an_array_that_waits_one_task_starts_elsewhere_or_none_is_moved() {
        final PartitionName other = cluster.otherPartition();
        if (other == null || !isOffered(Capability.MOVE) || !cluster.userSubmitsArray("many", SLEEP, "2,5-7")) {
            return;
        }
        final JobKey array = await("the array", () -> observe().jobs(), jobs -> jobs.size() == 1)
                .get(0)
                .job();
        final PartitionName home = observed(array).partition();

        if (!isOffered(Capability.MOVE_TASKS)) {
            assertTrouble(moving().start(array, other), Answer.Kind.WRONG_STATE, home.value());
        } else {
            assertAccepted(moving().start(array, other));
            await(
                    "one task in " + other,
                    () -> observe().jobs(),
                    jobs -> jobs.stream()
                            .anyMatch(job -> job.state() instanceof JobState.Running
                                    && job.partition().equals(other)));
        }
        assertThat(observe().jobs())
                .filteredOn(job -> job.state().isWaiting())
                .singleElement()
                .satisfies(rest -> assertThat(rest.partition()).isEqualTo(home));
        assertAccepted(wlm.cancel(array)); // with its task that runs
    }

    @Test
    void a_waiting_job_can_be_given_a_choice_of_partitions() {
        final PartitionName other = cluster.otherPartition();
        if (other == null || !isOffered(Capability.PARTITION_CHOICE)) {
            return;
        }
        final PartitionChoosing choosing = wlm.get(PartitionChoosing.class);
        final JobKey job = atTheGate("choosing");
        final PartitionName home = observed(job).partition();

        for (int handed = 1; handed <= 2; handed++) {
            assertAccepted(choosing.setPartitions(job, List.of(home, other)));
            assertThat(observed(job).partition()).isEqualTo(home);
            assertThat(observed(job).detail().partitions()).containsExactly(home, other);
            assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        }
        assertTrouble(
                choosing.setPartitions(job, List.of(home, PartitionName.of("nowhere"))),
                Answer.Kind.REJECTED,
                "nowhere");
        assertThat(observed(job).detail().partitions()).containsExactly(home, other);

        assertAccepted(starting().start(job));
        assertThat(awaitRunning(job).detail().partitions()).isNull();
        assertTrouble(
                choosing.setPartitions(job, List.of(home)),
                Answer.Kind.WRONG_STATE,
                job.id().local());
    }

    private JobKey atTheGate(final String name) {
        final JobKey job = cluster.userSubmits(name, SLEEP, 1, Duration.ofMinutes(10));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        return job;
    }

    private Moving moving() {
        return wlm.get(Moving.class);
    }

    // ---- rehearsal

    @Test
    void a_rehearsal_says_the_words_of_the_submission_and_hands_nothing_in() {
        if (!isOffered(Capability.DRY_RUN)) {
            return;
        }
        final Submission submission = submission(attempt(), spec("rehearsed", "#!/bin/sh\necho a line of its own\n"));

        final DryRunResult rehearsal =
                wlm.get(DryRunning.class).dryRun(submission).get();
        assertThat(rehearsal.command()).isNotEmpty();
        assertThat(rehearsal.script()).contains("echo a line of its own\n");
        assertThat(observe().jobs()).isEmpty();
        assertThat(wlm.get(AttemptFinding.class)
                        .find(submission.attempt(), submission.owner())
                        .get())
                .isEmpty();

        wlm.submit(submission).get();
        final List<String> words = cluster.wordsOfTheLastSubmission();
        if (words != null) {
            assertThat(rehearsal.command()).isEqualTo(words);
        }
    }

    // ---- checkpoint by the workload manager

    @Test
    void a_job_parked_by_native_means_waits_held_and_goes_on_when_it_is_started() throws InterruptedException {
        if (!isOffered(Capability.NATIVE_CHECKPOINT)) {
            return;
        }
        final JobKey job = run(spec("saved", SLEEP));
        awaitRunning(job);

        final Instant before = Instant.now().minusSeconds(2);
        final NativeCheckpointing.VacatedJob parked = wlm.get(NativeCheckpointing.class)
                .checkpointAndVacate(job, Duration.ofSeconds(60))
                .get();
        assertThat(parked.taken().method()).isEqualTo("native");
        assertThat(parked.taken().savedAt())
                .isAfter(before)
                .isAfterOrEqualTo(parked.taken().requestedAt());
        awaitState(parked.job(), state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        if (!parked.job().equals(job)) {
            assertThat(find(job)).isNull();
            await(
                    "the old key to be over",
                    () -> ended(job),
                    runs -> !runs.isEmpty()
                            && runs.get(runs.size() - 1).outcome() instanceof RunOutcome.Continued as
                            && as.continuedAs().equals(parked.job()));
        }
        assertAccepted(starting().start(parked.job()));
        awaitRunning(parked.job());
    }

    // ---- tiers and limits that the workload manager keeps itself

    @Test
    void a_waiting_job_can_be_moved_between_the_tiers() {
        if (!isOffered(Capability.TIER)) {
            return;
        }
        final JobKey job = submit(attempt(), spec("tiered", SLEEP));
        assertAccepted(holding().release(job, HoldKind.SUBMISSION));

        for (final Tier tier : List.of(Tier.BORROWED, Tier.GUARANTEED, Tier.GUARANTEED)) {
            assertAccepted(wlm.get(Tiering.class).setTier(job, tier));
            assertThat(observed(job).state().isWaiting()).isTrue();
            assertThat(observed(job).detail().tier()).as("if it is reported").isIn(tier, null);
        }
        assertTrouble(wlm.get(Tiering.class).setTier(nobody(), Tier.BORROWED), Answer.Kind.NO_SUCH_JOB, "987654");
    }

    @Test
    void the_limit_of_one_user_is_set_without_touching_that_of_another() {
        if (!isOffered(Capability.LIMIT)) {
            return;
        }
        final Limiting limiting = wlm.get(Limiting.class);
        final UserName owner = cluster.owner();
        final Map<UserName, Integer> before = new HashMap<>(limiting.limits().get());

        assertAccepted(limiting.setLimit(owner, 3));
        assertThat(limiting.limits().get()).containsEntry(owner, 3);
        assertAccepted(limiting.setLimit(owner, 0));
        assertThat(limiting.limits().get()).containsEntry(owner, 0);
        assertAccepted(limiting.setLimit(owner, null));
        assertThat(limiting.limits().get()).doesNotContainKey(owner);
        assertAccepted(limiting.setLimit(owner, null));
        before.remove(owner);
        assertThat(limiting.limits().get()).containsAllEntriesOf(before);
    }

    // ---- ends that nobody saw

    @Test
    void a_job_that_came_and_went_between_two_looks_is_known_to_accounting() {
        final Instant before = Instant.now().minusSeconds(5);
        final Answer<List<EndedJob>> possible = wlm.get(Accounting.class).endedSince(before);
        if (possible instanceof Answer.Trouble<List<EndedJob>> trouble && trouble.kind() == Answer.Kind.REJECTED) {
            assertThat(trouble.reason()).as("why it cannot be asked by time").isNotBlank();
            return;
        }
        final JobKey job = cluster.userSubmits("passing", "#!/bin/sh\nexit 4\n", 1, Duration.ofMinutes(10));
        assertAccepted(starting().start(job));
        awaitEnd(job);

        final EndedJob ended = await(
                        "it in accounting",
                        () -> wlm.get(Accounting.class).endedSince(before).get().stream()
                                .filter(found -> found.job().equals(job))
                                .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
        assertThat(ended.name()).isEqualTo("passing");
        assertThat(ended.owner()).isEqualTo(cluster.owner());
        assertThat(ended.attempt()).isNull();
        assertThat(ended.resources().cores()).isEqualTo(1);
        assertThat(ended.runs().get(ended.runs().size() - 1).outcome()).isEqualTo(new RunOutcome.Exited(4));
        assertThat(wlm.get(Accounting.class)
                        .endedSince(Instant.now().plusSeconds(3600))
                        .get())
                .noneMatch(found -> found.job().equals(job));
    }

    private Altering altering() {
        return wlm.get(Altering.class);
    }
}
