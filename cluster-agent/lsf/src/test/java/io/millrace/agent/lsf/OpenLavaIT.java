package io.millrace.agent.lsf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the OpenLava emulator with recordings, and tests the adapter with an OpenLava that is unresponsive, slow
 * or in conflict.
 */
class OpenLavaIT {

    private OpenLavaUnderTest cluster;

    @BeforeEach
    void open() {
        cluster = new OpenLavaUnderTest();
        cluster.directory();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    // ---- emulator

    @Test
    void the_emulator_prints_the_recorded_messages() {
        final String waits = submit("waits", "-H");
        final String runs = submit("runs");
        asAgent("brun", "-m", "vm", runs);
        final String done = submit("over");
        asAgent("bkill", done);

        final Map<String, List<String>> same = new LinkedHashMap<>();
        same.put("022-submit-bad-queue", List.of("bsub", "-q", "nosuch", "sleep", "1"));
        same.put("023-submit-admin-queue", List.of("bsub", "-q", "admin", "sleep", "1"));
        same.put("024-submit-over-runlimit", List.of("bsub", "-q", "short", "-W", "100", "sleep", "1"));
        same.put("026-submit-bad-option", List.of("bsub", "-Z", "sleep", "1"));
        same.put("027-submit-empty", List.of("bsub"));
        same.put("028-submit-bad-host", List.of("bsub", "-m", "nosuch", "sleep", "1"));
        same.put("012-submit-big", List.of("bsub", "-n", "200", "sleep", "1"));
        same.put("057-bjobs-unknown", List.of("bjobs", "99999"));
        same.put("106-bstop-unknown", List.of("bstop", "99999"));
        same.put("107-bstop-finished", List.of("bstop", done));
        same.put("091-hold-pending", List.of("bstop", waits));
        same.put("093-release-pending", List.of("bresume", waits));
        same.put("097-suspend-running", List.of("bstop", runs));
        same.put("100-resume-running", List.of("bresume", runs));
        same.put("108-signal", List.of("bkill", "-s", "WINCH", runs));
        same.put("111-signal-bad", List.of("bkill", "-s", "NOSUCH", runs));
        same.put("124-requeue-pending", List.of("brequeue", waits));
        same.put("125-requeue-unknown", List.of("brequeue", "99999"));
        same.put("131-switch-bad-queue", List.of("bswitch", "nosuch", waits));
        same.put("132-switch-admin-queue", List.of("bswitch", "admin", waits));
        same.put("127-switch-pending", List.of("bswitch", "short", waits));
        same.put("134-switch-unknown", List.of("bswitch", "short", "99999"));
        same.put("141-mod-running", List.of("bmod", "-W", "30", runs));
        same.put("145-mod-unknown", List.of("bmod", "-n", "2", "99999"));
        same.put("135-mod-name", List.of("bmod", "-J", "newname", waits));
        same.put("150-run-running", List.of("brun", "-m", "vm", runs));
        same.put("151-run-bad-host", List.of("brun", "-m", "nosuch", waits));
        same.put("156-chkpnt-not", List.of("bchkpnt", runs));
        same.put("161-restart", List.of("brestart", "/home/alice/ck", "116"));
        same.put("174-kill-finished", List.of("bkill", done));
        same.put("244-bpost", List.of("bpost", "-d", "why", runs));
        same.put("245-bpost-unknown", List.of("bpost", "-d", "why", "99999"));
        same.put("116-requeue", List.of("brequeue", runs));
        same.put("168-kill-running", List.of("bkill", waits));
        same.put("182-queue-inact", List.of("badmin", "qinact", "short"));
        same.put("184-queue-act", List.of("badmin", "qact", "short"));
        same.forEach((name, argv) -> {
            final CommandResult recorded = Recording.of(name).result();
            final CommandResult result = asOwner(argv);
            assertThat(result.exit()).as(name).isEqualTo(recorded.exit());
            assertThat(plain(result.outputText())).as(name).isEqualTo(plain(recorded.outputText()));
            assertThat(plain(result.errorText())).as(name).isEqualTo(plain(recorded.errorText()));
        });
    }

    @Test
    void the_emulator_prints_lists_in_the_recorded_format() {
        final String runs = submit("runs");
        asAgent("brun", "-m", "vm", runs);
        submit("waits", "-H");
        asOwner(List.of("bkill", submit("over")));
        asOwner(List.of("brequeue", runs));

        sameShape(List.of("bjobs", "-u", "all", "-a", "-UF"), "040-bjobs-UF", "205-finished-fail-UF");
        sameShape(List.of("bjobs", "-u", "all", "-a", "-l"), "039-bjobs-all-a-l", "201-ck-restart-l");
        sameShape(List.of("bjobs", "-u", "all", "-a", "-w"), "038-bjobs-all-a-w");
        sameShape(List.of("bhosts", "-w"), "068-bhosts-w");
        sameShape(List.of("lshosts", "-w"), "071-lshosts");
    }

    // ---- failures

    @Test
    void an_unresponsive_lim_is_an_error_and_changes_no_job() {
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.lava().limIsDown(true);

        assertThat(cluster.wlm().observe())
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind())
                                .as("known within seconds, not after a time limit")
                                .isEqualTo(Answer.Kind.DOWN));
        assertThat(cluster.wlm().cancel(job)).isInstanceOf(Answer.Trouble.class);
        assertThat(cluster.wlm().get(Accounting.class).ended(List.of(job))).isInstanceOf(Answer.Trouble.class);
        assertThat(cluster.wlm().get(Restricting.class).restrictions().withheld())
                .containsKey(Capability.TIER);

        cluster.lava().limIsDown(false);
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    @Test
    void a_command_for_an_array_is_retried_while_lsf_is_applying_it() {
        cluster.userSubmitsArray("many", "sleep 600\n", "1-3");
        final JobKey array = cluster.wlm().observe().get().jobs().get(0).job();

        assertThat(cluster.wlm().cancel(array)).isInstanceOf(Answer.Ok.class);
        assertThat(cluster.wlm().observe().get().jobs()).isEmpty();
    }

    // ---- arrays

    private JobObserved array(final String indices) {
        final String id = cluster.arrayOf("many", "sleep 600\n", indices);
        return cluster.wlm().observe().get().jobs().stream()
                .filter(job -> job.job().id().local().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void pending_array_tasks_are_one_job_with_indices_and_slot_limit() {
        final JobObserved array = array("1-99:2]%5");
        assertThat(array.detail().array())
                .isEqualTo(new ArrayTasks(array.job().id().local(), "1-99:2", 50, 5, 5));
        assertThat(array.name()).isEqualTo("many");
        assertThat(array.resources().cores()).isEqualTo(1);
        assertThat(array.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(cluster.wlm().observe().get().jobs()).hasSize(1);
        cluster.wlm().observe();
        assertThat(cluster.lava().asked().stream().filter(argv -> argv.contains("-A")))
                .as("queried once for each array")
                .hasSize(1);
    }

    @Test
    void a_start_starts_the_next_task_which_is_a_separate_job_afterwards() {
        final JobKey array = array("2,5-7").job();
        cluster.wlm().get(Starting.class).start(array).get();
        final JobKey task = new JobKey(new JobId(array.cluster(), array.id().local() + "[2]"), array.submittedAt());
        await(() -> find(task), seen -> seen != null && seen.state() instanceof JobState.Running);
        assertThat(observed(array).detail().array())
                .isEqualTo(new ArrayTasks(array.id().local(), "5-7", 3, null));
        assertThat(observed(task).detail().array())
                .isEqualTo(new ArrayTasks(array.id().local(), "2", 1, null));

        asOwner(List.of("brequeue", task.id().local()));
        final JobObserved back =
                await(() -> find(task), seen -> seen != null && seen.state().equals(new JobState.Held(HoldKind.ENTRY)));
        assertThat(back.restarts()).isEqualTo(1);
        assertThat(observed(array).detail().array().tasks()).isEqualTo(3);
    }

    @Test
    void a_hold_applies_to_pending_tasks_and_its_release_to_the_same_tasks() {
        final JobKey array = array("1-2").job();
        cluster.wlm().get(Starting.class).start(array).get();
        cluster.wlm().get(Holding.class).hold(array, HoldKind.OPERATOR).get();
        assertThat(observed(array).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        final JobKey task = new JobKey(new JobId(array.cluster(), array.id().local() + "[1]"), array.submittedAt());
        assertThat(observed(task).state()).isInstanceOf(JobState.Running.class);
        assertThat(cluster.lava().asked()).contains(List.of("bstop", array.id().local() + "[2]"));

        cluster.wlm().get(Holding.class).release(array, HoldKind.OPERATOR).get();
        assertThat(cluster.lava().asked())
                .contains(List.of("bresume", array.id().local() + "[2]"));
        assertThat(observed(array).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    @Test
    void a_task_held_by_its_owner_is_a_separate_job_and_is_not_started() {
        final JobKey array = array("1-3").job();
        asOwner(List.of("bstop", array.id().local() + "[1]"));
        final JobKey held = new JobKey(new JobId(array.cluster(), array.id().local() + "[1]"), array.submittedAt());
        assertThat(observed(held).state()).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(observed(array).detail().array().indices()).isEqualTo("2-3");

        asOwner(List.of("bresume", held.id().local()));
        assertThat(observed(held).state())
                .as("a separate task does not disappear")
                .isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    @Test
    void an_array_without_pending_tasks_is_dissolved_and_has_not_ended() {
        final JobKey array = array("4").job();
        cluster.wlm().get(Starting.class).start(array).get();
        assertThat(find(array)).isNull();
        assertThat(cluster.adapter().get(Accounting.class).dissolved(List.of(array)))
                .isEqualTo(Answer.ok(Set.of(array)));
        assertThat(cluster.wlm().get(Accounting.class).ended(List.of(array))).isEqualTo(Answer.ok(List.of()));
    }

    // ---- hold kinds

    @Test
    void a_restarted_agent_still_knows_who_holds_a_job() {
        final JobKey mine = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        final JobKey ours = cluster.userSubmits("ours", "sleep 600\n", 1, Duration.ofMinutes(10));
        final JobKey theirs = cluster.userSubmits("theirs", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.userHolds(mine);
        cluster.wlm().get(Holding.class).hold(theirs, HoldKind.OPERATOR).get();
        cluster.wlm().get(Starting.class).start(ours).get();
        await(() -> observed(ours), job -> job.state() instanceof JobState.Running);
        cluster.wlm().get(Requeueing.class).requeueHeld(ours).get();
        await(() -> observed(ours), job -> job.state() instanceof JobState.Held);

        final WorkloadManager fresh = cluster.adapter();
        final Map<JobKey, JobObserved> seen =
                fresh.observe().get().jobs().stream().collect(Collectors.toMap(JobObserved::job, job -> job));
        assertThat(seen.get(mine).state()).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(seen.get(ours).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(seen.get(theirs).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(seen.get(ours).restarts()).isEqualTo(1);
        assertThat(fresh.get(ControlSwitching.class).control()).isEqualTo(Answer.ok(Control.DIRECTED));
    }

    @Test
    void a_job_requeued_by_its_owner_is_counted_and_waits_at_the_gate() {
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.wlm().get(Starting.class).start(job).get();
        await(() -> observed(job), seen -> seen.state() instanceof JobState.Running);

        asOwner(List.of("brequeue", job.id().local()));
        final JobObserved back =
                await(() -> find(job), seen -> seen != null && seen.state().equals(new JobState.Held(HoldKind.ENTRY)));
        assertThat(back.restarts()).isEqualTo(1);
    }

    @Test
    void a_job_that_lsf_dispatches_as_soon_as_its_hold_is_released_is_started() {
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.wlm().get(ControlSwitching.class).control(Control.NATIVE).get();
        await(() -> observed(job), seen -> seen.state() instanceof JobState.Running);
        cluster.wlm().get(Requeueing.class).requeueHeld(job).get();
        await(() -> observed(job), seen -> seen.state() instanceof JobState.Held);
        cluster.lava().dispatchesAtRelease();

        assertThat(cluster.wlm().get(Starting.class).start(job)).isInstanceOf(Answer.Ok.class);
        assertThat(observed(job).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void a_queue_stopped_by_an_administrator_stays_stopped_when_the_gate_opens() {
        cluster.wlm().get(ControlSwitching.class).control(Control.NATIVE).get();
        asAgent("badmin", "qinact", "normal");
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));

        cluster.wlm().get(ControlSwitching.class).control(Control.DIRECTED).get();
        cluster.wlm().get(ControlSwitching.class).control(Control.NATIVE).get();
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
    }

    @Test
    void a_queue_that_an_administrator_takes_from_the_gate_stays_stopped_when_it_opens() throws IOException {
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        Files.writeString(
                cluster.gate(), Files.readString(cluster.gate()).replace("normal\n", ""), StandardCharsets.UTF_8);
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));

        cluster.wlm().get(ControlSwitching.class).control(Control.DIRECTED).get();
        assertThat(cluster.wlm()
                        .get(ControlSwitching.class)
                        .control(Control.NATIVE)
                        .get()
                        .detail())
                .contains("[normal] stay inactive");
        assertThat(observed(job).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
    }

    @Test
    void the_walltime_of_a_running_job_cannot_be_changed_and_the_answer_names_the_remedy() {
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.wlm().get(ControlSwitching.class).control(Control.NATIVE).get();
        await(() -> observed(job), seen -> seen.state() instanceof JobState.Running);
        assertThat(cluster.wlm().get(Altering.class).setWalltime(job, Duration.ofMinutes(5)))
                .isInstanceOfSatisfying(Answer.Trouble.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(Answer.Kind.WRONG_STATE);
                    assertThat(refused.reason()).contains("LSB_MOD_ALL_JOBS=Y", "badmin mbdrestart");
                });
    }

    @Test
    void queues_added_under_directed_control_do_not_keep_the_others_inactive_under_native_control() {
        final JobKey job = cluster.userSubmits("mine", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.lava().addQueue("late");
        final WorkloadManager restarted = cluster.adapter();
        assertThat(restarted.get(ControlSwitching.class).control().get()).isEqualTo(Control.NATIVE);
        assertThat(restarted.get(ControlSwitching.class).isPartial()).isTrue();

        restarted.get(ControlSwitching.class).control(Control.NATIVE).get();

        await(() -> observed(job), seen -> seen.state() instanceof JobState.Running);
        assertThat(restarted.get(ControlSwitching.class).control().get()).isEqualTo(Control.NATIVE);
        assertThat(restarted.get(ControlSwitching.class).isPartial()).isFalse();
    }

    @Test
    void a_name_that_imitates_other_fields_hides_no_job() {
        final String forger = submit("a>, User <root>, y", "-H");
        final String unnamed = submit("", "-H");
        final String waiting = submit("");

        final Observation seen = cluster.wlm().observe().get();

        assertThat(seen.unreadable()).isEmpty();
        assertThat(seen.jobs())
                .extracting(job -> job.job().id().local(), JobObserved::name, JobObserved::owner)
                .containsExactlyInAnyOrder(
                        tuple(forger, "a>, User <root>, y", cluster.owner()),
                        tuple(unnamed, "", cluster.owner()),
                        tuple(waiting, "", cluster.owner()));
        assertThat(cluster.lava().asked())
                .as("only the ambiguous job is queried again")
                .contains(List.of(
                        "bjobs", "-u", "all", "-a", "-o", "jobid stat user queue job_name delimiter=\"|\"", forger));
    }

    @Test
    void a_job_is_never_started_on_slots_that_are_in_use() {
        asAgent("brun", "-m", "vm", submit("one"));
        asAgent("brun", "-m", "vm2", submit("two"));
        final JobKey wide = cluster.userSubmits("wide", "sleep 600\n", 2, Duration.ofMinutes(10));

        assertThat(cluster.wlm().get(Starting.class).start(wide))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.reason()).contains("fills each host up to its MXJ"));
        assertThat(observed(wide).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
    }

    @Test
    void a_job_with_an_unmet_dependency_is_not_started() {
        submit("first", "-H");
        final String id = submit("second", "-w", "done(101)");
        final JobKey job = cluster.wlm().observe().get().jobs().stream()
                .map(JobObserved::job)
                .filter(key -> key.id().local().equals(id))
                .findFirst()
                .orElseThrow();

        assertThat(observed(job).eligibility()).isEqualTo(Eligibility.not(Obstacle.DEPENDENCY));
        assertThat(observed(job).detail().dependencies()).containsExactly("done(101)");
        assertThat(cluster.wlm().get(Starting.class).start(job))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.WRONG_STATE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"done(%s)", "ended(\"first\")", "post_done(%s)", "done(%s) && started(%s)"})
    void an_inactive_queue_does_not_hide_a_dependency(final String condition) {
        final JobKey first = cluster.userSubmits("first", "sleep 600\n", 1, Duration.ofMinutes(10));
        cluster.wlm().get(Starting.class).start(first).get();
        final String id =
                submit("second", "-w", condition.replace("%s", first.id().local()));
        final JobKey second = job(id);

        assertThat(observed(second).eligibility()).isEqualTo(Eligibility.not(Obstacle.DEPENDENCY));
        assertThat(cluster.wlm().get(Starting.class).start(second))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.reason())
                                .contains("unmet dependency: " + condition.split("\\(")[0]));
    }

    @Test
    void a_job_is_eligible_and_starts_when_its_dependency_is_met() {
        final JobKey first = cluster.userSubmits("first", "exit 0\n", 1, Duration.ofMinutes(10));
        final JobKey second = job(submit("second", "-w", "done(" + first.id().local() + ")"));
        final JobKey third = job(submit("third", "-w", "post_done(" + first.id().local() + ")"));
        cluster.wlm().get(Starting.class).start(first).get();

        await(() -> observed(second), seen -> seen.eligibility() instanceof Eligibility.EligibleSince);
        assertThat(cluster.wlm().get(Starting.class).start(second)).isInstanceOf(Answer.Ok.class);
        assertThat(cluster.wlm().get(Starting.class).start(third))
                .as("told by bjdep alone")
                .isInstanceOf(Answer.Ok.class);
    }

    private JobKey job(final String id) {
        return cluster.wlm().observe().get().jobs().stream()
                .map(JobObserved::job)
                .filter(key -> key.id().local().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_snapshot_takes_one_query_of_each_kind() {
        submit("one");
        cluster.wlm().observe().get();
        final int before = cluster.lava().asked().size();
        cluster.wlm().observe().get();

        assertThat(cluster.lava().asked().subList(before, cluster.lava().asked().size()))
                .extracting(argv -> argv.get(0))
                .containsExactlyInAnyOrder("bqueues", "bjobs", "bhosts");
    }

    @Test
    void tiers_are_offered_because_this_installation_requeues_victims() {
        assertThat(Offer.of(cluster.wlm()).capabilities()).contains(Capability.TIER, Capability.NATIVE_CHECKPOINT);
        final WorkloadManager without = Lsf.of(
                LsfSite.of(cluster.cluster(), cluster.directory().resolve("state")),
                cluster.lava(),
                new io.millrace.agent.exec.Accounts(),
                java.time.Clock.systemUTC(),
                () -> "n0");
        assertThat(Offer.of(without).withheld().get(Capability.TIER)).contains("guaranteed-queue");
        assertThat(Offer.of(without).withheld().get(Capability.NATIVE_CHECKPOINT))
                .contains("checkpoint-dir");
    }

    // ---- builders

    private String submit(final String name, final String... options) {
        final List<String> argv = new ArrayList<>(List.of("bsub", "-J", name, "-W", "10"));
        argv.addAll(List.of(options));
        return cluster.asOwner("sleep 600\n", argv.toArray(String[]::new)).replaceAll("\\D*(\\d+)(?s:.*)", "$1");
    }

    private CommandResult asOwner(final List<String> argv) {
        return cluster.lava()
                .as(cluster.owner())
                .run(new Plain(adminOnly(argv) ? List.of("bjobs", "-h") : argv))
                .then(result -> adminOnly(argv) ? cluster.lava().run(new Plain(argv)) : Answer.ok(result))
                .get();
    }

    private static boolean adminOnly(final List<String> argv) {
        return Set.of("brun", "badmin").contains(argv.get(0));
    }

    private CommandResult asAgent(final String... argv) {
        return cluster.lava().run(new Plain(List.of(argv))).get();
    }

    private record Plain(List<String> argv) implements CommandLine<CommandResult> {
        @Override
        public Answer<CommandResult> read(final CommandResult result) {
            return Answer.ok(result);
        }
    }

    private JobObserved find(final JobKey job) {
        return cluster.wlm().observe().get().jobs().stream()
                .filter(seen -> seen.job().equals(job))
                .findFirst()
                .orElse(null);
    }

    private JobObserved observed(final JobKey job) {
        return await(() -> find(job), seen -> seen != null);
    }

    private static <T> T await(final Supplier<T> look, final Predicate<T> wanted) {
        final Instant limit = Instant.now().plusSeconds(300);
        T seen = look.get();
        while (!wanted.test(seen)) {
            if (Instant.now().isAfter(limit)) {
                throw new AssertionError("timed out; last observed: " + seen);
            }
            try {
                Thread.sleep(100);
            } catch (final InterruptedException e) {
                throw new IllegalStateException(e);
            }
            seen = look.get();
        }
        return seen;
    }

    /** The text without values that differ between jobs. */
    private static String plain(final String text) {
        return text.strip().replaceAll("\\d+", "N").replaceAll("<(short|normal)>", "<Q>");
    }

    /** Checks that each kind of line that the emulator prints was recorded. */
    private void sameShape(final List<String> argv, final String... recordings) {
        final Set<String> recorded = java.util.Arrays.stream(recordings)
                .flatMap(name -> shapes(Recording.of(name).result()))
                .collect(Collectors.toSet());
        final CommandResult result = asOwner(argv);
        assertThat(result.exit()).isZero();
        assertThat(shapes(result)).as(String.join(" ", argv)).isNotEmpty().isSubsetOf(recorded);
    }

    /** A line without its values: the fixed words of LSF, in order. */
    private static java.util.stream.Stream<String> shapes(final CommandResult result) {
        final List<String> shapes = new ArrayList<>();
        final List<LongFormat.Job> jobs = LongFormat.read(result.output());
        if (jobs.isEmpty()) {
            result.outputText().lines().forEach(line -> shapes.add(cells(line)));
        }
        for (final LongFormat.Job job : jobs) {
            shapes.add(words(job.heading()));
            job.events().forEach(line -> {
                for (final String part : line.text().split(",")) {
                    shapes.add(words(part));
                }
            });
            job.lines().forEach(line -> shapes.add(words(line)));
        }
        return shapes.stream().distinct();
    }

    private static String words(final String line) {
        return line.replaceAll("(?s)Command <.*", "Command <>")
                .replaceAll("<[^<>]*>", "<>")
                .replaceAll("\\d+", "N")
                .replaceAll("[;,]\\s*$", "")
                .replaceAll("\\s+", "")
                .replaceAll("(PENDINGREASONS:|[A-Z][\\w' -]*:Nhosts?)", "$1")
                .replaceAll("^[A-Z][\\w']*:Nhost$", "reason:Nhost");
    }

    private static String cells(final String line) {
        return line.replaceAll("(closed_Full|ok|RUN|PEND|PSUSP|DONE|EXIT)", "STATE")
                .strip()
                .split("\\s+")[0]
                .replaceAll("[a-z]+\\d*|\\d+", "value");
    }
}
