package io.millrace.migration;

import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Samples;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.policy.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Jobs that are stopped in each state. */
class StopTest extends GlobalJobScenario {

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
}
