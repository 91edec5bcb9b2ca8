package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.ANNA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.job;
import static io.millrace.migration.domain.Samples.local;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.TransferState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManageGlobalJobsTest {

    private static final Samples AWAY = job("A").cores(12).withMake();
    private static final RunOutcome WELL = new RunOutcome.Exited(0);

    private final World world = new World(Policies.fast());
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 16);

    @AfterEach
    void a_restart_repeats_nothing() {
        world.settle();
        final int before = world.log.size();
        world.restart();
        world.decide();
        assertThat(world.log).hasSize(before);
    }

    private void submit(final Samples sample) {
        world.say(sample.submitted(world.now));
        world.decide();
    }

    private void stop(final Samples sample) {
        world.say(sample.stop(world.now));
        world.decide();
    }

    private List<String> words(final Samples sample) {
        return world.events(GlobalJob.class, job -> job.id().equals(sample.id())).stream()
                .map(job -> job.state().word())
                .distinct()
                .toList();
    }

    private List<String> orders() {
        return world.commands(c -> true).stream().map(c -> c.action().name()).toList();
    }

    private JobKey onlyJob(final ScriptedCluster cluster) {
        assertThat(cluster.jobs()).hasSize(1);
        return cluster.jobs().iterator().next().job();
    }

    private void script(final String action, final Result... answers) {
        final List<Result> left = new java.util.ArrayList<>(List.of(answers));
        beta.script = command -> command.action().name().equals(action) && !left.isEmpty()
                ? Optional.of(left.removeFirst())
                : Optional.empty();
    }

    @Test
    void a_job_runs_on_another_cluster_and_its_results_return() {
        submit(AWAY);
        world.settle();
        beta.end(onlyJob(beta), WELL);
        world.settle();

        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
        assertThat(words(AWAY)).containsExactly("Waiting", "Uploading", "Making", "Submitted", "Downloading", "End");
        assertThat(orders()).containsExactly("make", "submit", "release");
        assertThat(world.events(Request.TransferRequested.class, r -> true))
                .extracting(r -> r.from() + " -> " + r.to())
                .containsExactly(
                        "alpha:/home/anna/" + AWAY.id() + " -> beta:/staging/anna/" + AWAY.id() + ".1",
                        "beta:/staging/anna/" + AWAY.id() + ".1 -> alpha:/home/anna/" + AWAY.id());
    }

    private void hold(final Samples sample) {
        world.pass(Duration.ofSeconds(1));
        world.say(sample.hold(ANNA, world.now));
        world.settle();
    }

    private void release(final Samples sample) {
        world.pass(Duration.ofSeconds(1));
        world.say(sample.release(world.now));
        world.settle();
    }

    @Test
    void a_held_job_is_not_placed_and_says_so_until_it_is_released() {
        world.say(AWAY.submitted(world.now));
        hold(AWAY);

        assertThat(world.state(AWAY)).isInstanceOf(Waiting.class);
        assertThat(world.job(AWAY).hold()).isNotNull();
        assertThat(world.plan(AWAY).vetoes()).extracting(Veto::code).containsExactly("held-by-user");
        assertThat(world.plan(AWAY).reason()).contains("mgrelease " + AWAY.id());

        release(AWAY);
        assertThat(world.job(AWAY).hold()).isNull();
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);
    }

    @Test
    void a_job_that_waits_in_the_queue_of_a_cluster_is_held_there_as_often_as_its_owner_wants() {
        final Samples sample = job("A").cores(8);
        submit(sample);
        alpha.occupy(8);
        world.settle();
        final JobKey local = ((Submitted) world.state(sample)).localJob();

        for (int i = 0; i < 2; i++) {
            hold(sample);
            assertThat(stateOf(local)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
            assertThat(((Submitted) world.state(sample)).released()).isFalse();

            release(sample);
            assertThat(stateOf(local)).isEqualTo(new JobState.Queued());
            assertThat(((Submitted) world.state(sample)).released()).isTrue();
        }
        assertThat(orders()).containsExactly("submit", "release", "hold", "release", "hold", "release");
    }

    @Test
    void a_release_that_overtakes_the_command_to_hold_is_carried_out_afterwards() {
        final Samples sample = job("A").cores(8);
        submit(sample);
        alpha.occupy(8);
        world.settle();
        world.pass(Duration.ofSeconds(1));
        world.say(sample.hold(ANNA, world.now));
        world.decide();
        world.say(sample.release(world.now));
        world.decide();
        world.pass(Duration.ofSeconds(1));
        world.settle();

        assertThat(orders()).containsExactly("submit", "release", "hold", "release");
        assertThat(stateOf(((Submitted) world.state(sample)).localJob())).isEqualTo(new JobState.Queued());
    }

    private JobState stateOf(final JobKey local) {
        return alpha.jobs().stream()
                .filter(job -> job.job().equals(local))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void a_job_that_is_held_while_its_directory_is_copied_is_submitted_but_not_released() {
        world.transfers.paused = true;
        submit(job("A").cores(12));
        world.settle();
        hold(job("A").cores(12));
        world.transfers.paused = false;
        world.settle();

        assertThat(orders()).containsExactly("submit");
        assertThat(world.plan(job("A")).vetoes()).extracting(Veto::code).containsExactly("held-by-user");
        release(job("A"));
        assertThat(orders()).containsExactly("submit", "release");
    }

    @Test
    void a_running_job_is_held_only_when_it_waits_again() {
        final Samples sample = job("A");
        submit(sample);
        world.settle();
        final JobKey local = onlyJob(alpha);
        hold(sample);
        assertThat(stateOf(local)).isInstanceOf(JobState.Running.class);
        assertThat(orders()).doesNotContain("hold");

        alpha.occupy(8);
        alpha.requeue(local);
        world.settle();
        assertThat(stateOf(local)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        release(sample);
    }

    @Test
    void an_operators_hold_replaces_that_of_the_owner_and_not_the_other_way_round() {
        world.say(AWAY.submitted(world.now));
        hold(AWAY);
        world.say(AWAY.hold(UserName.of("olga"), world.now));
        world.decide();
        assertThat(world.job(AWAY).holdKind()).isEqualTo(HoldKind.OPERATOR);
        final long version = world.job(AWAY).version();

        hold(AWAY);
        assertThat(world.job(AWAY).version()).isEqualTo(version);
        assertThat(world.plan(AWAY).vetoes()).extracting(Veto::code).containsExactly("held-by-operator");
    }

    @Test
    void a_held_job_can_be_stopped() {
        beta.occupy(16);
        submit(AWAY);
        hold(AWAY);
        stop(AWAY);
        world.settle();

        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
        assertThat(world.job(AWAY).hold()).isNull();
    }

    @Test
    void results_do_not_replace_files_that_changed_at_home_after_the_placement() {
        submit(AWAY);
        world.settle();
        beta.end(onlyJob(beta), WELL);
        world.settle();

        assertThat(world.events(Request.TransferRequested.class, r -> true))
                .extracting(Request.TransferRequested::keepChangedSince)
                .containsExactly(null, world.job(AWAY).attempts().getFirst().startedAt());
    }

    @Test
    void a_waiting_job_is_placed_as_it_was_altered() {
        world.say(AWAY.submitted(world.now));
        world.say(AWAY.hold(ANNA, world.now));
        world.say(AWAY.alter(world.now, Duration.ofMinutes(7), 3, null));
        world.decide();
        release(AWAY);

        assertThat(world.commands(c -> c.action() instanceof Action.Submit))
                .extracting(c -> ((Action.Submit) c.action()).spec())
                .allSatisfy(spec -> {
                    assertThat(spec.walltime()).isEqualTo(Duration.ofMinutes(7));
                    assertThat(spec.resources().cores()).isEqualTo(3);
                    assertThat(spec.name()).isEqualTo("sample " + AWAY.id());
                })
                .hasSize(1);
    }

    @Test
    void a_placed_job_stays_as_it_was_submitted() {
        submit(AWAY);
        world.settle();
        final GlobalJob before = world.job(AWAY);
        world.say(AWAY.alter(world.now, Duration.ofMinutes(7), 3, 5));
        world.settle();

        assertThat(world.job(AWAY)).isEqualTo(before);
    }

    @Test
    void the_walltime_of_a_placed_job_is_recorded_for_further_attempts() {
        submit(AWAY);
        world.settle();
        final GlobalJob before = world.job(AWAY);
        assertThat(before.state()).isInstanceOf(Submitted.class);
        world.say(AWAY.alter(world.now, Duration.ofMinutes(7), null, null));
        world.settle();

        assertThat(world.job(AWAY).submission().spec())
                .isEqualTo(before.submission().spec().withWalltime(Duration.ofMinutes(7)));
        assertThat(world.job(AWAY).state()).isEqualTo(before.state());
        assertThat(world.job(AWAY).attempts()).isEqualTo(before.attempts());
    }

    @Test
    void the_cores_of_a_placed_job_are_recorded_for_further_attempts() {
        submit(AWAY);
        world.settle();
        final GlobalJob before = world.job(AWAY);
        world.say(AWAY.alter(world.now, null, 3, null));
        world.settle();

        assertThat(world.job(AWAY).submission().spec())
                .isEqualTo(before.submission().spec().altered(null, 3));
        assertThat(world.job(AWAY).state()).isEqualTo(before.state());
        assertThat(world.job(AWAY).attempts()).isEqualTo(before.attempts());
    }

    @Test
    void a_job_on_its_source_cluster_runs_in_its_own_directory() {
        submit(job("A"));
        world.settle();
        alpha.end(onlyJob(alpha), new RunOutcome.Exited(2));
        world.settle();
        assertThat(world.state(job("A"))).isEqualTo(new End(new RunOutcome.Exited(2)));
        assertThat(world.events(Request.class, r -> true)).isEmpty();
        assertThat(((Action.Submit) world.commands(c -> c.action() instanceof Action.Submit)
                                .getFirst()
                                .action())
                        .directory())
                .isEqualTo("/home/anna/" + job("A").id());
    }

    @Test
    void the_hold_is_lifted_only_when_the_local_id_stands_on_the_log() {
        submit(AWAY);
        world.settle();
        final int recorded =
                indexOf(e -> e instanceof GlobalJob j && j.state() instanceof Submitted s && s.localJob() != null);
        final int released = indexOf(e -> e instanceof Command c && c.action() instanceof Action.Release);
        assertThat(recorded).isPositive().isLessThan(released);
        assertThat(world.commands(c -> c.action() instanceof Action.Submit)
                        .getFirst()
                        .preconditions())
                .containsExactly(new Precondition.AttemptAbsent(AWAY.id().attempt(1)));
    }

    private int indexOf(final java.util.function.Predicate<Object> which) {
        for (int i = 0; i < world.log.size(); i++) {
            if (world.log.get(i).event() != null && which.test(world.log.get(i).event())) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void a_refused_submit_is_retried_after_a_pause_with_another_id() {
        script(
                "submit",
                new Result.Refused(Refusal.EXPIRED, "too late"),
                new Result.Failed("sbatch: socket timed out"));
        submit(AWAY);
        world.settle();
        assertThat(orders()).containsExactly("make", "submit");
        assertThat(world.plan(AWAY).reason()).contains("beta: submit refused (expired): too late");
        world.pass(Duration.ofSeconds(11));
        world.settle();
        world.pass(Duration.ofSeconds(21));
        world.settle();
        assertThat(world.commands(c -> c.action() instanceof Action.Submit))
                .extracting(c -> c.id().value().substring(c.id().value().lastIndexOf(':') + 1))
                .containsExactly("0", "1", "2");
        assertThat(onlyJob(beta)).isNotNull();
    }

    @Test
    void after_a_permanent_failure_another_cluster_is_tried() {
        final ScriptedCluster gamma = world.cluster(io.millrace.model.ClusterId.of("gamma"), 16);
        beta.script = command -> command.action() instanceof Action.Submit
                ? Optional.of(new Result.Failed("no account"))
                : Optional.empty();
        submit(AWAY);
        for (int i = 0; i < 20; i++) {
            world.settle();
            world.pass(Duration.ofSeconds(10));
        }
        world.settle();
        assertThat(gamma.jobs()).hasSize(1);
        assertThat(world.job(AWAY).attempts()).hasSize(2);
        assertThat(world.job(AWAY).attempts().getFirst().endedAt()).isNotNull();
    }

    @Test
    void a_job_that_fails_on_every_cluster_is_aborted_with_the_reasons_of_the_agents() {
        beta.script = command -> command.action() instanceof Action.Make
                ? Optional.of(new Result.Failed("cc: not found"))
                : Optional.empty();
        submit(AWAY);
        for (int i = 0; i < 20; i++) {
            world.settle();
            world.pass(Duration.ofSeconds(10));
        }
        assertThat(world.commands(c -> c.action() instanceof Action.Make)).hasSize(3);
        assertThat(((Aborted) world.state(AWAY)).reason()).contains("attempt 1 failed there");
    }

    @Test
    void what_the_signature_does_not_cover_is_aborted_at_once() {
        script("submit", new Result.Refused(Refusal.NOT_PERMITTED, "digest differs"));
        submit(AWAY);
        world.settle();
        assertThat(((Aborted) world.state(AWAY)).reason()).contains("not-permitted", "digest differs");
    }

    @Test
    void an_unclear_submit_is_retried_until_the_tag_appears() {
        beta.script = command -> {
            if (command.action() instanceof Action.Submit submit
                    && command.id().value().endsWith(":0")) {
                beta.submit(command, submit);
                return Optional.of(new Result.Unclear("the agent was killed after sbatch"));
            }
            return Optional.empty();
        };
        submit(AWAY);
        world.settle();
        assertThat(((Submitted) world.state(AWAY)).localJob()).isEqualTo(onlyJob(beta));
        assertThat(orders()).containsExactly("make", "submit", "release");
    }

    @Test
    void no_attempt_follows_one_with_an_unknown_result() {
        beta.script = command -> command.action() instanceof Action.Submit
                ? Optional.of(new Result.Unclear("accounting is down"))
                : Optional.empty();
        submit(AWAY);
        for (int i = 0; i < 200; i++) {
            world.settle();
            world.pass(Duration.ofSeconds(20));
        }
        assertThat(world.job(AWAY).attempts()).hasSize(1);
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);
        assertThat(world.plan(AWAY).vetoes()).extracting("code").containsExactly("command-unclear");
    }

    @Test
    void of_two_local_jobs_with_one_tag_the_recorded_one_is_kept() {
        beta.copies = command -> 2;
        submit(AWAY);
        world.settle();
        final JobKey kept = ((Submitted) world.state(AWAY)).localJob();
        assertThat(beta.jobs()).extracting(JobObserved::job).containsExactly(kept);
        assertThat(world.commands(c -> c.action() instanceof Action.Cancel)).hasSize(1);
        assertThat(beta.jobs().iterator().next().state()).isInstanceOf(JobState.Running.class);
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);
    }

    @Test
    void a_requeue_does_not_end_the_attempt() {
        submit(AWAY);
        world.settle();
        beta.requeue(onlyJob(beta));
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);
        beta.end(onlyJob(beta), WELL);
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
    }

    @Test
    void a_continued_job_remains_the_same_attempt() {
        submit(AWAY);
        world.settle();
        final JobKey next = beta.goOn(onlyJob(beta));
        world.settle();
        assertThat(((Submitted) world.state(AWAY)).localJob()).isEqualTo(next);
        assertThat(((Submitted) world.state(AWAY)).released()).isTrue();
        assertThat(world.job(AWAY).attempts()).hasSize(1);
        assertThat(beta.jobs())
                .as("it carries the tag of an attempt on record: no stray")
                .hasSize(1);

        beta.end(next, WELL);
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
        assertThat(world.job(AWAY).attempts().getFirst().localJob()).isEqualTo(next);
    }

    @Test
    void stopped_while_it_goes_on_under_another_key() {
        submit(AWAY);
        world.settle();
        stop(AWAY);
        final JobKey next = beta.goOn(onlyJob(beta));
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
        assertThat(beta.jobs()).isEmpty();
        assertThat(world.commands(c -> c.action().equals(new Action.Cancel(next))))
                .isNotEmpty();
    }

    @Test
    void an_end_counts_even_if_the_local_id_was_unknown() {
        submit(AWAY);
        world.transfers.work();
        world.decide();
        script("submit");
        beta.script = command ->
                command.action() instanceof Action.Submit ? Optional.of(new Result.Unclear("lost")) : Optional.empty();
        world.settle();
        final JobKey key = local(BETA, 77);
        world.say(new io.millrace.model.cluster.RunEnded(
                key,
                "x",
                AWAY.id().attempt(1),
                Samples.ANNA,
                null,
                io.millrace.model.PartitionName.of("main"),
                io.millrace.model.Resources.cores(12),
                null,
                1,
                world.now,
                world.now,
                WELL,
                0,
                "script"));
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
        assertThat(world.job(AWAY).attempts().getFirst().localJob()).isEqualTo(key);
    }

    @Test
    void an_unavailable_cluster_is_waited_for_and_nothing_starts_elsewhere() {
        submit(AWAY);
        world.settle();
        final JobKey running = onlyJob(beta);
        beta.silent = true;
        for (int i = 0; i < 60; i++) {
            world.pass(Duration.ofMinutes(5));
            world.settle();
        }
        assertThat(world.job(AWAY).attempts()).hasSize(1);
        beta.silent = false;
        beta.end(running, WELL);
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
    }

    @Test
    void an_id_is_not_reused_when_its_answer_is_forgotten() {
        script("submit", new Result.Failed("sbatch: socket timed out"));
        submit(AWAY);
        world.settle();
        beta.silent = true;
        world.pass(Duration.ofHours(3));
        world.restart();
        world.decide();
        beta.silent = false;
        world.settle();
        assertThat(onlyJob(beta)).isNotNull();
        assertThat(world.commands(c -> c.action() instanceof Action.Submit))
                .hasSize(2)
                .extracting(Command::id)
                .doesNotHaveDuplicates();
    }

    @Test
    void results_that_cannot_return_abort_the_job_and_name_their_location() {
        world.transfers.ending = id -> id.value().endsWith("/download")
                ? new TransferState.Failed("rsync: no space left")
                : new TransferState.Verified("ok");
        submit(AWAY);
        world.settle();
        beta.end(onlyJob(beta), WELL);
        world.settle();
        assertThat(((Aborted) world.state(AWAY)).reason())
                .contains("no space left", "beta:/staging/anna/" + AWAY.id() + ".1", "exit code 0");
    }

    @Test
    void a_job_whose_results_cannot_return_for_now_waits_until_their_transfer_is_released() {
        world.transfers.ending = id -> id.value().endsWith("/download")
                ? new TransferState.Held(5, "rsync: no space left")
                : new TransferState.Verified("ok");
        submit(AWAY);
        world.settle();
        beta.end(onlyJob(beta), WELL);
        world.settle();
        assertThat(words(AWAY)).endsWith("Downloading");
        assertThat(world.plan(AWAY).vetoes()).singleElement().satisfies(veto -> {
            assertThat(veto.code()).isEqualTo("transfer-held");
            assertThat(veto.reason()).contains("no space left");
        });

        world.transfers.ending = id -> new TransferState.Verified("ok");
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
    }

    @Test
    void a_job_with_a_held_upload_waits_until_it_is_stopped() {
        world.transfers.ending = id -> new TransferState.Held(5, "rsync: quota exceeded");
        submit(AWAY);
        world.settle();
        assertThat(words(AWAY)).containsExactly("Waiting", "Uploading");
        assertThat(world.plan(AWAY).vetoes()).extracting(Veto::code).containsExactly("transfer-held");
        stop(AWAY);
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
    }

    @Test
    void an_upload_that_fails_aborts_when_no_cluster_is_left() {
        world.transfers.ending = id -> new TransferState.Failed("rsync: permission denied");
        submit(AWAY);
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Aborted.class);
        assertThat(orders()).isEmpty();
    }

    @Test
    void a_submission_read_twice_is_one_job() {
        submit(AWAY);
        submit(AWAY);
        assertThat(world.events(GlobalJob.class, j -> j.version() == 1)).hasSize(1);
    }

    @Test
    void a_stop_of_an_unknown_job_is_counted_and_changes_nothing() {
        stop(job("Z"));
        assertThat(world.events(GlobalJob.class, j -> true)).isEmpty();
    }

    @Test
    void stopped_while_waiting() {
        alpha.silent = true;
        submit(job("A").cores(99));
        world.pass(Duration.ofMinutes(3));
        stop(job("A").cores(99));
        assertThat(world.state(job("A"))).isInstanceOfAny(Stopped.class, Aborted.class);
    }

    @Test
    void stopped_while_uploading_once_the_transfer_is_dropped() {
        world.transfers.paused = true;
        submit(AWAY);
        stop(AWAY);
        assertThat(world.state(AWAY)).isInstanceOf(Uploading.class);
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
        assertThat(orders()).isEmpty();
    }

    @Test
    void stopped_while_making_after_the_answer() {
        submit(AWAY);
        world.transfers.work();
        world.decide();
        assertThat(world.state(AWAY)).isInstanceOf(Making.class);
        stop(AWAY);
        assertThat(world.state(AWAY)).isInstanceOf(Making.class);
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
        assertThat(orders()).containsExactly("make");
    }

    @Test
    void stopped_before_the_local_id_is_known_the_job_is_cancelled_while_held() {
        final Samples plain = job("A").cores(12);
        submit(plain);
        world.transfers.work();
        world.decide();
        assertThat(orders()).containsExactly("submit");
        stop(plain);
        world.settle();
        assertThat(world.state(plain)).isInstanceOf(Stopped.class);
        assertThat(orders()).containsExactly("submit", "cancel");
        assertThat(beta.jobs()).isEmpty();
    }

    @Test
    void stopped_after_an_unclear_submit_a_job_that_appears_later_never_runs() {
        final Samples plain = job("A").cores(12);
        script("submit", new Result.Unclear("lost"));
        submit(plain);
        world.settle();
        stop(plain);
        world.pass(Duration.ofSeconds(15));
        world.settle();
        world.pass(Duration.ofSeconds(15));
        world.settle();
        assertThat(world.state(plain)).isInstanceOf(Stopped.class);
        final Action.Submit late = (Action.Submit) world.commands(c -> c.action() instanceof Action.Submit)
                .getFirst()
                .action();
        beta.submit(null, late);
        world.settle();
        assertThat(orders()).endsWith("cancel");
        assertThat(beta.jobs()).isEmpty();
    }

    @Test
    void stopped_while_it_runs() {
        submit(AWAY);
        world.settle();
        stop(AWAY);
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);
        world.settle();
        assertThat(((Stopped) world.state(AWAY)).reason()).contains("no longer needed", "stay in beta:/staging");
        assertThat(beta.jobs()).isEmpty();
    }

    @Test
    void a_failed_cancel_is_retried_until_the_run_ends() {
        submit(AWAY);
        world.settle();
        script("cancel", new Result.Failed("scancel: timed out"), new Result.Failed("scancel: timed out"));
        stop(AWAY);
        for (int i = 0; i < 6; i++) {
            world.settle();
            world.pass(Duration.ofSeconds(15));
        }
        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
        assertThat(world.commands(c -> c.action() instanceof Action.Cancel)).hasSize(3);
    }

    @Test
    void stopped_while_downloading_the_files_stay_and_the_reason_says_where() {
        submit(AWAY);
        world.settle();
        world.transfers.paused = true;
        beta.end(onlyJob(beta), WELL);
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Downloading.class);
        stop(AWAY);
        assertThat(((Stopped) world.state(AWAY)).reason()).contains("beta:/staging/anna/" + AWAY.id() + ".1");
        assertThat(world.events(Request.TransferCancelRequested.class, r -> true))
                .hasSize(1);
    }

    @Test
    void a_stop_of_an_ended_job_changes_nothing() {
        submit(job("A"));
        world.settle();
        alpha.end(onlyJob(alpha), WELL);
        world.settle();
        stop(job("A"));
        assertThat(world.state(job("A"))).isEqualTo(new End(WELL));
    }

    @Test
    void a_plan_is_withdrawn_when_no_obstacle_is_left() {
        alpha.occupy(8);
        beta.occupy(16);
        world.clusters.values().forEach(ScriptedCluster::observe);
        submit(AWAY);
        assertThat(world.state(AWAY)).isInstanceOf(Waiting.class);
        assertThat(world.plan(AWAY).reason()).contains("beta (no-idle-cores)");
        beta.end(onlyJob(beta), WELL);
        world.settle();
        assertThat(world.log).anyMatch(e -> e.gone() && e.key().equals(AWAY.id() + "/MIGRATION"));
    }
}
