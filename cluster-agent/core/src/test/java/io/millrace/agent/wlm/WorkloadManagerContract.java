package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.ScriptText;
import io.millrace.script.ArrayTask;
import io.millrace.script.Dialect;
import io.millrace.script.StandardStreams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What every adapter must do. An adapter is tested by a subclass of one line that opens a cluster. */
public abstract class WorkloadManagerContract extends CapabilityContract {

    // ---- submission, start and the run itself

    @Test
    void a_submitted_job_is_held_and_tagged() {
        scenarios().aSubmittedJobIsHeldAndTagged();
    }

    @Test
    void a_released_submission_waits_at_the_entry_gate_until_it_is_started() {
        final JobKey job = submit(attempt(), spec("gate", "#!/bin/sh\ntouch ran\n"));

        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        assertThat(directory.resolve("ran")).doesNotExist();

        assertAccepted(starting().start(job));
        awaitOutcome(job, new RunOutcome.Exited(0));
        assertThat(directory.resolve("ran")).exists();
    }

    @Test
    void a_job_that_is_still_held_for_submission_cannot_be_started() {
        final JobKey job = submit(attempt(), spec("unreleased", SLEEP));

        assertTrouble(starting().start(job), Answer.Kind.WRONG_STATE, job.id().local());
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Test
    void a_job_runs_as_its_owner_in_its_directory_with_its_environment() {
        scenarios().aJobRunsAsItsOwnerInItsDirectoryWithItsEnvironment();
    }

    @Test
    void the_streams_of_a_job_are_the_files_that_its_owner_named() throws IOException {
        Files.writeString(directory.resolve("data"), "from the file\n");
        final JobKey job = run(specWith(
                "streams",
                "#!/bin/sh\ncat\necho a mistake >&2\n",
                Map.of(
                        StandardStreams.OUTPUT, "%x-%u.out",
                        StandardStreams.ERROR, "errors",
                        StandardStreams.INPUT, "data")));

        awaitOutcome(job, new RunOutcome.Exited(0));

        final String output = "streams-" + cluster.owner() + ".out";
        await("the output", () -> readIfThere(output), text -> text.equals("from the file\n"));
        await("the errors", () -> readIfThere("errors"), text -> text.contains("a mistake\n"));
    }

    @Test
    void a_script_that_is_not_utf_8_runs_byte_for_byte() throws IOException {
        final byte[] latin1 =
                "#!/bin/sh\n# f\u00fcr dich\nprintf 'gr\u00fcn' > colour\n".getBytes(StandardCharsets.ISO_8859_1);
        final JobKey job = run(spec("latin", ScriptText.of(latin1)));

        awaitOutcome(job, new RunOutcome.Exited(0));

        assertThat(Files.readAllBytes(directory.resolve("colour")))
                .isEqualTo("gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void a_task_of_a_global_array_runs_with_its_index() {
        final Map<String, String> task =
                new ArrayTask(4711, 7, List.of(5, 6, 7)).variables(List.of(Dialect.SLURM, Dialect.PBS, Dialect.LSF));
        final JobKey job = run(specWith("task", """
            #!/bin/sh
            #SBATCH --array=5-7%2
            echo $MILLRACE_ARRAY_INDEX $SLURM_ARRAY_TASK_ID $PBS_ARRAY_INDEX $LSB_JOBINDEX > indices
            """, task));

        awaitOutcome(job, new RunOutcome.Exited(0));
        await("the indices", () -> readIfThere("indices"), text -> text.equals("7 7 7 7\n"));
    }

    @Test
    void a_running_job_occupies_its_cores_on_named_nodes() {
        final JobKey job = run(spec("wide", SLEEP, 2, Duration.ofMinutes(10)));

        final JobObserved seen = awaitRunning(job);
        assertThat(((JobState.Running) seen.state()).nodes()).isNotEmpty();
        assertThat(((JobState.Running) seen.state()).startedAt())
                .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(5));
        assertThat(seen.resources().cores()).isEqualTo(2);
    }

    @Test
    void a_job_may_be_wider_than_one_node() {
        final int cores = largestNode() + 1;
        final JobKey job = run(spec("wider", SLEEP, cores, Duration.ofMinutes(10)));

        final JobObserved seen = awaitRunning(job);
        assertThat(((JobState.Running) seen.state()).nodes().size()).isGreaterThan(1);
        assertThat(seen.resources().cores()).isGreaterThanOrEqualTo(cores);
    }

    @Test
    void a_job_is_killed_at_its_walltime_limit() {
        scenarios().aJobIsKilledAtItsWalltimeLimit();
    }

    @Test
    void a_job_that_the_cluster_can_never_run_is_rejected_by_name() {
        final JobSpec nowhere = new JobSpec(
                "nowhere",
                SLEEP,
                null,
                Resources.cores(1),
                Duration.ofMinutes(1),
                PartitionName.of("no-such-partition"),
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);

        assertTrouble(wlm.submit(submission(attempt(), nowhere)), Answer.Kind.REJECTED, "partition");
        assertThat(observe().jobs()).isEmpty();
    }

    // ---- cancel

    @Test
    void a_waiting_job_can_be_cancelled() {
        scenarios().aWaitingJobCanBeCancelled();
    }

    @Test
    void a_running_job_can_be_cancelled_with_everything_it_started() {
        scenarios().aRunningJobIsCancelledWithEverythingItStarted();
    }

    // ---- holds

    @Test
    void a_waiting_job_can_be_held_and_let_go_again() {
        final JobKey job = submit(attempt(), spec("held", "#!/bin/sh\ntrue\n"));
        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        assertAccepted(holding().hold(job, HoldKind.ENTRY));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));

        assertAccepted(starting().start(job));
        awaitOutcome(job, new RunOutcome.Exited(0));
    }

    @Test
    void a_released_submission_can_be_held_again_until_its_next_release() {
        final JobKey job = submit(attempt(), spec("held again", "#!/bin/sh\ntrue\n"));
        for (int i = 0; i < 2; i++) {
            assertAccepted(holding().release(job, HoldKind.SUBMISSION));
            awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
            assertAccepted(holding().hold(job, HoldKind.SUBMISSION));
            awaitState(job, state -> state.equals(new JobState.Held(HoldKind.SUBMISSION)));
            assertTrouble(
                    starting().start(job), Answer.Kind.WRONG_STATE, job.id().local());
        }

        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        assertAccepted(starting().start(job));
        awaitOutcome(job, new RunOutcome.Exited(0));
    }

    @Test
    void the_users_own_hold_is_never_lifted() {
        final JobKey job = cluster.userSubmits("mine", "#!/bin/sh\ntouch ran\n", 1, Duration.ofMinutes(10));
        cluster.userHolds(job);
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.USER)));

        assertTrouble(starting().start(job), Answer.Kind.WRONG_STATE, job.id().local());
        assertTrouble(
                holding().release(job, HoldKind.SUBMISSION),
                Answer.Kind.WRONG_STATE,
                job.id().local());
        assertTrouble(
                holding().release(job, HoldKind.ENTRY),
                Answer.Kind.WRONG_STATE,
                job.id().local());
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_job_that_a_user_hands_in_past_millrace_waits_at_the_entry_gate() {
        final JobKey job = cluster.userSubmits("mine", "#!/bin/sh\ntrue\n", 1, Duration.ofMinutes(10));

        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        assertThat(observed(job).attempt()).isNull();
        assertAccepted(starting().start(job));
        awaitOutcome(job, new RunOutcome.Exited(0));
    }

    // ---- requeue, suspend, signal

    @Test
    void a_requeued_job_runs_again_under_the_same_key_and_its_output_goes_to_one_file() {
        scenarios().aRequeuedJobRunsAgainUnderTheSameKey();
    }

    @Test
    void a_job_requeued_and_held_stays_held() {
        scenarios().aHeldJobWaitsUntilItIsReleased();
    }

    @Test
    void a_job_is_requeued_and_held_with_a_sentence_for_its_user() {
        final JobKey job = submit(attempt(), spec("why", SLEEP));
        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        assertAccepted(starting().start(job));
        awaitState(job, state -> state instanceof JobState.Running);

        final UserSentence requeued =
                new UserSentence("Millrace requeued this job: user 'b' is within quota, cores=4, a<b & c>d, 100%");
        assertAccepted(wlm.get(Requeueing.class).requeueHeld(job, requeued));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        assertShownToItsUser(job, requeued);

        final UserSentence held = new UserSentence("Millrace held this job: its owner asked for it");
        assertAccepted(starting().start(job));
        awaitState(job, state -> state instanceof JobState.Running);
        assertAccepted(wlm.get(Requeueing.class).requeueHeld(job));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        assertAccepted(holding().hold(job, HoldKind.SUBMISSION, held));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.SUBMISSION)));
        assertShownToItsUser(job, held);
        assertAccepted(wlm.cancel(job));
    }

    private void assertShownToItsUser(final JobKey job, final UserSentence sentence) {
        final String shown = cluster.commentOf(job);
        if (shown != null) {
            assertThat(shown).contains(sentence.text());
        }
    }

    @Test
    void a_suspended_job_stops_and_continues_when_resumed() {
        scenarios().aSuspendedJobStopsAndContinuesWhenItIsResumed();
    }

    @Test
    void a_signal_reaches_the_application() {
        scenarios().aSignalReachesTheApplication();
    }

    @Test
    void the_directory_of_a_job_is_known() {
        final JobKey job = submit(attempt(), spec("where", SLEEP));
        assertThat(wlm.get(ApplicationCheckpointing.class).directory(job)).isEqualTo(Answer.ok(directory));
    }

    @Test
    void a_job_knows_what_it_is_and_whose() throws IOException {
        final AttemptId attempt = attempt();
        final JobKey job = submit(
                attempt,
                spec(
                        "self",
                        "#!/bin/bash\nprintf '%s\\n' \"$MILLRACE_CLUSTER\" \"$MILLRACE_JOB_ID\" \"$MILLRACE_ATTEMPT\" "
                                + "\"$MILLRACE_RESTART\" \"$HOME\" \"$USER\" >self\n"));
        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        assertAccepted(starting().start(job));
        awaitOutcome(job, new RunOutcome.Exited(0));

        final Account owner = new Accounts().named(cluster.owner()).orElseThrow();
        assertThat(read("self").lines())
                .containsExactly(
                        cluster.cluster().value(),
                        job.id().local(),
                        attempt.toString(),
                        "0",
                        owner.home(),
                        owner.name().value());
    }

    // ---- ends

    @Test
    void exit_codes_and_signals_are_settled_from_accounting() {
        scenarios().exitCodesAndSignalsAreExact();
    }

    // ---- names, tags, troubles, nodes

    @Test
    void names_may_hold_blanks_quotes_bars_and_any_script() {
        for (final String name :
                List.of("two words", "it's \"quoted\"", "a|b;c&d", "Größe 温度", "$(id) `id` \\n", "%j,a=b")) {
            final AttemptId attempt = attempt();
            final JobKey job = submit(attempt, spec(name, SLEEP));
            assertThat(observed(job).name()).isEqualTo(name);
            assertThat(observed(job).attempt()).isEqualTo(attempt);
        }
    }

    @Test
    void jobs_are_found_by_their_tags_in_the_queue_and_among_the_ended() {
        final AttemptId first = attempt();
        final AttemptId second = attempt();
        final AttemptId none = attempt();
        final Map<AttemptId, UserName> owners =
                Map.of(first, cluster.owner(), second, cluster.owner(), none, cluster.owner());
        assertThat(wlm.get(AttemptFinding.class).find(first, cluster.owner()).get())
                .isEmpty();

        final JobKey ending = submit(first, spec("tagged", SLEEP));
        final JobKey waiting = submit(second, spec("tagged", SLEEP));
        assertThat(wlm.get(AttemptFinding.class).find(owners).get())
                .containsOnly(
                        Map.entry(first, List.of(new AttemptFinding.Found(ending, false))),
                        Map.entry(second, List.of(new AttemptFinding.Found(waiting, false))),
                        Map.entry(none, List.of()));

        assertAccepted(wlm.cancel(ending));
        awaitEnd(ending);
        await(
                "one among the ended",
                () -> wlm.get(AttemptFinding.class).find(owners).get(),
                found -> found.equals(Map.of(
                        first, List.of(new AttemptFinding.Found(ending, true)),
                        second, List.of(new AttemptFinding.Found(waiting, false)),
                        none, List.of())));
    }

    @Test
    void a_job_with_the_tag_of_another_users_attempt_is_not_found() {
        final AttemptId attempt = attempt();
        final UserName other = UserName.of("mr-somebody-else");
        final JobKey job = submit(attempt, spec("tagged", SLEEP));
        assertThat(wlm.get(AttemptFinding.class).find(attempt, other).get()).isEmpty();

        assertAccepted(wlm.cancel(job));
        awaitEnd(job);
        await(
                "it among the ended jobs of its owner",
                () -> wlm.get(AttemptFinding.class)
                        .find(attempt, cluster.owner())
                        .get(),
                found -> found.equals(List.of(new AttemptFinding.Found(job, true))));
        assertThat(wlm.get(AttemptFinding.class).find(attempt, other).get()).isEmpty();
    }

    @Test
    void an_unknown_job_is_named_in_the_trouble() {
        final JobKey nobody = nobody();
        final List<Answer<?>> answers = new ArrayList<>(List.of(
                wlm.cancel(nobody),
                starting().start(nobody),
                holding().hold(nobody, HoldKind.ENTRY),
                holding().release(nobody, HoldKind.SUBMISSION),
                wlm.get(Requeueing.class).requeue(nobody),
                wlm.get(Requeueing.class).requeueHeld(nobody),
                wlm.get(Signalling.class).signal(nobody, "USR1"),
                wlm.get(ApplicationCheckpointing.class).directory(nobody)));
        if (wlm.find(Suspending.class) instanceof Suspending suspending) {
            answers.add(suspending.suspend(nobody));
            answers.add(suspending.resume(nobody));
        }
        if (wlm.find(Altering.class) instanceof Altering altering) {
            answers.add(altering.setWalltime(nobody, Duration.ofMinutes(5)));
        }
        answers.forEach(answer -> assertTrouble(answer, Answer.Kind.NO_SUCH_JOB, "987654"));
        assertThat(ended(nobody)).isEmpty();
    }

    @Test
    void what_makes_no_sense_in_this_state_is_said_and_changes_nothing() {
        final JobKey waits = submit(attempt(), spec("waits", SLEEP));
        assertTrouble(
                wlm.get(Requeueing.class).requeue(waits),
                Answer.Kind.WRONG_STATE,
                waits.id().local());
        assertTrouble(
                wlm.get(Signalling.class).signal(waits, "USR1"),
                Answer.Kind.WRONG_STATE,
                waits.id().local());
        assertThat(observed(waits).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));

        final JobKey runs = run(spec("runs", SLEEP));
        awaitRunning(runs);
        assertTrouble(starting().start(runs), Answer.Kind.WRONG_STATE, runs.id().local());
        assertTrouble(
                holding().hold(runs, HoldKind.ENTRY),
                Answer.Kind.WRONG_STATE,
                runs.id().local());
        assertTrouble(wlm.get(Signalling.class).signal(runs, "not; a signal"), Answer.Kind.REJECTED, "not; a signal");
        assertThat(observed(runs).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void a_job_that_is_over_cannot_be_cancelled_and_the_answer_names_it() {
        final JobKey job = run(spec("brief", "#!/bin/sh\ntrue\n"));
        awaitOutcome(job, new RunOutcome.Exited(0));

        assertThat(wlm.cancel(job)).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
            assertThat(trouble.kind()).isIn(Answer.Kind.NO_SUCH_JOB, Answer.Kind.WRONG_STATE);
            assertThat(trouble.reason()).contains(job.id().local());
        });
        assertThat(ended(job)).hasSize(1);
    }

    @Test
    void a_name_that_a_system_cannot_write_is_refused_or_shown_on_one_line() {
        final JobKey neighbour = submit(attempt(), spec("neighbour", SLEEP));
        final AttemptId attempt = attempt();
        final Answer<JobKey> answer = wlm.submit(submission(attempt, spec("two\nlines|and\ta bar", SLEEP)));

        switch (answer) {
            case Answer.Ok<JobKey> ok -> {
                assertThat(observed(ok.value()).name().replaceAll("\\s+", " ")).isEqualTo("two lines|and a bar");
                assertThat(observed(ok.value()).attempt()).isEqualTo(attempt);
            }
            case Answer.Trouble<JobKey> trouble -> assertTrouble(trouble, Answer.Kind.REJECTED, "name");
        }
        assertThat(observed(neighbour).name()).isEqualTo("neighbour");
        assertThat(observe().jobs()).hasSize(answer instanceof Answer.Ok<JobKey> ? 2 : 1);
    }

    @Test
    void an_array_of_a_user_is_shown_with_its_indices() {
        if (!cluster.userSubmitsArray("many", SLEEP, "2,5-7")) {
            return; // This workload manager has no arrays.
        }
        final List<JobObserved> tasks = await(
                "the array",
                () -> observe().jobs(),
                jobs -> jobs.stream()
                                .map(job -> job.detail().array())
                                .filter(Objects::nonNull)
                                .mapToInt(ArrayTasks::tasks)
                                .sum()
                        == 4);
        assertThat(tasks)
                .extracting(job -> job.detail().array().array())
                .hasSize(tasks.size())
                .containsOnly(tasks.get(0).detail().array().array());
        assertThat(tasks).extracting(JobObserved::name).containsOnly("many");
        assertThat(tasks).extracting(JobObserved::job).doesNotHaveDuplicates();
        assertThat(tasks).allSatisfy(job -> assertThat(job.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY)));
    }

    @Test
    void an_interactive_job_is_distinguished_from_the_others() {
        final JobKey batch = cluster.userSubmits("batch", SLEEP, 1, Duration.ofMinutes(10));
        if (!cluster.userAsksForASession("session")) {
            return; // This workload manager has no interactive jobs.
        }
        final JobObserved session = await(
                        "the session at the gate",
                        () -> observe().jobs(),
                        jobs -> jobs.stream().anyMatch(job -> job.name().equals("session")))
                .stream()
                .filter(job -> job.name().equals("session"))
                .findFirst()
                .orElseThrow();
        assertThat(session.detail().interactive()).isTrue();
        assertThat(session.owner()).isEqualTo(cluster.owner());
        assertThat(session.state()).as("it is counted like any other").isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(observed(batch).detail().interactive()).isFalse();
        assertAccepted(wlm.cancel(session.job()));
    }

    @Test
    void a_reused_id_is_another_job() {
        final JobKey job = submit(attempt(), spec("new", SLEEP));
        final JobKey old = new JobKey(job.id(), job.submittedAt().minusSeconds(86400));

        assertTrouble(wlm.cancel(old), Answer.Kind.NO_SUCH_JOB, job.id().local());
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Test
    void nodes_partitions_and_free_cores_add_up() {
        final Observation idle = observe();
        assertThat(idle.control()).isEqualTo(Control.DIRECTED);
        assertThat(idle.nodes()).hasSizeGreaterThanOrEqualTo(2).allSatisfy(node -> {
            assertThat(node.availability()).isEqualTo(NodeObserved.Availability.UP);
            assertThat(node.free().cores()).isEqualTo(node.total().cores());
        });
        assertThat(idle.partitions()).filteredOn(PartitionObserved::isDefault).hasSize(1);
        final int all = cores(idle.nodes(), NodeObserved::total);
        assertThat(idle.partitions())
                .anySatisfy(partition -> assertThat(partition.cores()).isEqualTo(all));

        final JobKey job = run(spec("busy", SLEEP, 2, Duration.ofMinutes(10)));
        awaitRunning(job);
        await("two cores less", () -> cores(observe().nodes(), NodeObserved::free), free -> free == all - 2);

        assertAccepted(wlm.cancel(job));
        await("all cores back", () -> cores(observe().nodes(), NodeObserved::free), free -> free == all);
    }

    @Test
    void every_node_belongs_to_a_partition_that_is_shown() {
        final Observation seen = observe();
        final List<PartitionName> known =
                seen.partitions().stream().map(PartitionObserved::partition).toList();
        assertThat(seen.nodes())
                .allSatisfy(node -> assertThat(node.partitions()).isNotEmpty().isSubsetOf(known));
        final JobKey job = submit(attempt(), spec("plain", SLEEP));
        final JobObserved observed = observed(job);
        assertThat(observed.detail().interactive()).isFalse();
        assertThat(observed.detail().rerunnable()).isTrue();
        assertThat(observed.detail().array()).isNull();
        assertThat(known).contains(observed.partition());
        assertThat(observed.isStartable()).as("its submission is in progress").isFalse();
        assertAccepted(holding().release(job, HoldKind.SUBMISSION));
        await(
                "it to be eligible",
                () -> observed(job).eligibility(),
                eligibility -> eligibility instanceof Eligibility.EligibleSince);
    }

    @Test
    void under_native_control_a_vacated_job_stays_held_until_it_is_released() {
        final ControlSwitching controlled = wlm.get(ControlSwitching.class);
        final JobKey job = run(spec("parked", SLEEP));
        awaitRunning(job);
        final JobKey mine = cluster.userSubmits("mine", SLEEP, 1, Duration.ofMinutes(10));
        cluster.userHolds(mine);
        try {
            assertAccepted(controlled.control(Control.NATIVE));
            assertAccepted(wlm.get(Requeueing.class).requeueHeld(job));
            awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
            assertAccepted(holding().release(job, HoldKind.ENTRY));
            awaitState(job, state -> !(state instanceof JobState.Held));
            assertThat(observed(mine).state())
                    .as("a user's own hold is nobody else's to lift")
                    .isEqualTo(new JobState.Held(HoldKind.USER));
        } finally {
            controlled.control(Control.DIRECTED);
        }
    }

    @Test
    void under_native_control_a_held_job_starts_on_command() {
        final ControlSwitching controlled = wlm.get(ControlSwitching.class);
        try {
            assertAccepted(controlled.control(Control.NATIVE));
            scenarios().aHeldJobWaitsUntilItIsReleased();
        } finally {
            controlled.control(Control.DIRECTED);
        }
    }

    @Test
    void under_native_control_the_local_scheduler_starts_what_waits_at_the_gate() {
        final JobKey job = cluster.userSubmits("native", "#!/bin/sh\ntrue\n", 1, Duration.ofMinutes(10));
        awaitState(job, state -> state.equals(new JobState.Held(HoldKind.ENTRY)));
        final ControlSwitching controlled = wlm.get(ControlSwitching.class);
        try {
            assertAccepted(controlled.control(Control.NATIVE));
            assertThat(controlled.control()).isEqualTo(Answer.ok(Control.NATIVE));
            assertThat(observe().control()).isEqualTo(Control.NATIVE);
            awaitOutcome(job, new RunOutcome.Exited(0));
            final JobKey second = cluster.userSubmits("native too", "#!/bin/sh\nsleep 15\n", 1, Duration.ofMinutes(10));
            awaitOutcome(second, new RunOutcome.Exited(0));
        } finally {
            controlled.control(Control.DIRECTED);
        }
        assertThat(controlled.control()).isEqualTo(Answer.ok(Control.DIRECTED));
    }
}
