package io.millrace.migration;

import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.TransferState;
import org.junit.jupiter.api.Test;

class ManageGlobalJobsTest extends GlobalJobScenario {

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
    void inputs_and_results_have_filter_rules_of_their_own() {
        submit(AWAY);
        world.settle();
        beta.end(onlyJob(beta), WELL);
        world.settle();

        assertThat(world.events(Request.TransferRequested.class, r -> true))
                .extracting(Request.TransferRequested::filter)
                .containsExactly(Samples.FILES.inputs(), Samples.FILES.results());
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
    void the_hold_is_lifted_only_when_the_local_id_is_on_the_log() {
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

    private int indexOf(final java.util.function.Predicate<Object> which) {
        for (int i = 0; i < world.log.size(); i++) {
            if (world.log.get(i).event() != null && which.test(world.log.get(i).event())) {
                return i;
            }
        }
        return -1;
    }
}
