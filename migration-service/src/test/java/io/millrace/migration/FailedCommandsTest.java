package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.local;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.testing.Attack;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Commands that agents refuse, that fail or stay unclear, and clusters that do not respond. */
class FailedCommandsTest extends GlobalJobScenario {

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
    void an_end_counts_even_if_the_local_id_was_unknown() {
        submit(AWAY);
        world.transfers.work();
        world.decide();
        script("submit");
        beta.script = command ->
                command.action() instanceof Action.Submit ? Optional.of(new Result.Unclear("lost")) : Optional.empty();
        world.settle();
        final JobKey key = local(BETA, 77);
        world.say(end(key));
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
        assertThat(world.job(AWAY).attempts().getFirst().localJob()).isEqualTo(key);
    }

    private RunEnded end(final JobKey key) {
        return new RunEnded(
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
                "script",
                null);
    }

    @Attack("an agent reports the end of a job that was placed on another cluster, under a local job of its own")
    @Test
    void only_the_cluster_of_an_attempt_reports_its_end() {
        submit(AWAY);
        world.transfers.work();
        world.decide();
        beta.script = command ->
                command.action() instanceof Action.Submit ? Optional.of(new Result.Unclear("lost")) : Optional.empty();
        world.settle();
        world.say(end(local(ALPHA, 77)));
        world.settle();
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);

        world.say(end(local(BETA, 77)));
        world.settle();
        assertThat(world.state(AWAY)).isEqualTo(new End(WELL));
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
}
