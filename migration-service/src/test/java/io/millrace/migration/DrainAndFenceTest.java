package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.availability;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.model.policy.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Drained and fenced clusters (ADR 28): alpha is full, so its jobs run on beta, which is faster, or on gamma. */
class DrainAndFenceTest {

    private final World world = new World(Policies.fast(BETA, GAMMA));
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 8);
    private final ScriptedCluster gamma = world.cluster(GAMMA, 8);

    private Samples submitted(final Samples sample) {
        alpha.occupy(alpha.idle());
        alpha.observe();
        world.say(sample.submitted(world.now));
        world.settle();
        return sample;
    }

    private void request(final ScriptedCluster cluster, final Status wanted) {
        world.say(availability(cluster.id, wanted, world.now));
        world.settle();
    }

    private Status status(final ScriptedCluster cluster) {
        return world.events(
                        ClusterAvailability.class,
                        decision -> decision.cluster().equals(cluster.id))
                .getLast()
                .status();
    }

    /** Puts the only job of a global job on the cluster back into its queue, behind a job of somebody else. */
    private void preempt(final ScriptedCluster cluster) {
        cluster.requeue(onlyJob(cluster).job());
        cluster.occupy(cluster.idle());
        cluster.observe();
        world.settle();
    }

    private static JobObserved onlyJob(final ScriptedCluster cluster) {
        return cluster.jobs().stream()
                .filter(job -> job.attempt() != null)
                .reduce((one, other) -> {
                    throw new AssertionError("several jobs: " + one + ", " + other);
                })
                .orElseThrow();
    }

    private List<Attempt> attempts(final Samples sample) {
        return world.job(sample).attempts();
    }

    @Test
    void no_job_is_placed_on_a_drained_cluster_until_it_is_undrained() {
        request(beta, Status.DRAINED);
        final Samples first = submitted(job("A"));
        assertThat(attempts(first)).extracting(Attempt::cluster).containsExactly(GAMMA);
        assertThat(attempts(first).getFirst().reason()).contains("beta: drained by olga", "maintenance");

        request(beta, Status.OPEN);
        assertThat(attempts(submitted(job("B"))).getFirst().cluster()).isEqualTo(BETA);
    }

    @Test
    void a_job_that_runs_on_a_drained_cluster_ends_there() {
        final Samples runs = submitted(job("A"));
        request(beta, Status.DRAINED);
        beta.end(onlyJob(beta).job(), new RunOutcome.Exited(0));
        world.settle();
        assertThat(world.state(runs)).isEqualTo(new GlobalJobState.End(new RunOutcome.Exited(0)));
        assertThat(attempts(runs)).hasSize(1);
        assertThat(attempts(runs).getFirst().end()).isEqualTo(new AttemptEnd(AttemptEnd.Cause.FINISHED, "exit code 0"));
    }

    @Test
    void a_job_that_waits_on_a_drained_cluster_is_withdrawn_before_it_is_submitted_elsewhere() {
        final Samples waits = submitted(job("A"));
        preempt(beta);
        request(beta, Status.DRAINED);
        assertThat(attempts(waits)).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
        assertThat(attempts(waits).getFirst().end())
                .isEqualTo(new AttemptEnd(AttemptEnd.Cause.DRAINED, "beta is drained: maintenance"));
        final int cancelled = indexOfCommand(Action.Cancel.class, BETA);
        final int submittedAgain = indexOfCommand(Action.Submit.class, GAMMA);
        assertThat(cancelled).isLessThan(submittedAgain);
        assertThat(onlyJob(gamma).state()).isInstanceOf(JobState.Running.class);
    }

    private int indexOfCommand(final Class<? extends Action> action, final io.millrace.model.ClusterId cluster) {
        return world.commands(command -> true)
                .indexOf(world.commands(command -> action.isInstance(command.action())
                                && command.cluster().equals(cluster))
                        .getLast());
    }

    @Test
    void a_preempted_job_that_saves_itself_takes_its_files_along() {
        final Samples waits =
                submitted(job("A").saving(new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1))));
        preempt(beta);
        request(beta, Status.DRAINED);
        assertThat(world.events(Request.TransferRequested.class, transfer -> true))
                .extracting(transfer ->
                        transfer.from().cluster() + " to " + transfer.to().cluster())
                .containsExactly("alpha to beta", "beta to alpha", "alpha to gamma");
        assertThat(attempts(waits)).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
    }

    @Test
    void a_job_that_starts_before_its_withdrawal_stays() {
        final Samples waits = submitted(job("A"));
        preempt(beta);
        world.say(availability(BETA, Status.DRAINED, world.now));
        world.decide();
        beta.jobs().stream()
                .filter(job -> job.attempt() == null)
                .forEach(other -> beta.end(other.job(), new RunOutcome.Exited(0)));
        beta.startWhatFits();
        world.settle();
        assertThat(onlyJob(beta).state()).isInstanceOf(JobState.Running.class);
        assertThat(world.state(waits))
                .isInstanceOfSatisfying(
                        GlobalJobState.Submitted.class,
                        at -> assertThat(at.withdrawal()).isNull());
    }

    @Test
    void an_upload_to_a_drained_cluster_is_cancelled() {
        world.transfers.paused = true;
        final Samples uploads = submitted(job("A"));
        request(beta, Status.DRAINED);
        assertThat(world.events(Request.TransferCancelRequested.class, cancel -> true))
                .hasSize(1);
        world.transfers.paused = false;
        world.settle();
        assertThat(attempts(uploads)).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
    }

    @Test
    void a_fenced_cluster_that_still_reports_ends_its_jobs_before_they_start_elsewhere() {
        final Samples runs = submitted(job("A"));
        assertThat(onlyJob(beta).state()).isInstanceOf(JobState.Running.class);
        request(beta, Status.FENCED);
        assertThat(beta.jobs()).isEmpty();
        assertThat(attempts(runs)).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
    }

    @Test
    void jobs_of_a_silent_fenced_cluster_are_placed_elsewhere_once_no_command_can_take_effect_there() {
        final Samples runs = submitted(job("A"));
        beta.silent = true;
        submitted(job("B"));
        assertThat(world.commands(command -> command.cluster().equals(BETA))
                        .getLast()
                        .action())
                .isInstanceOf(Action.Submit.class);
        world.pass(Duration.ofMinutes(2));
        world.settle();
        assertThat(attempts(runs)).as("a silent cluster alone moves no job").hasSize(1);

        request(beta, Status.FENCED);
        assertThat(attempts(runs)).as("the submit is valid for ten minutes").hasSize(1);
        world.pass(Duration.ofMinutes(11));
        world.settle();
        assertThat(attempts(runs)).extracting(Attempt::cluster).containsExactly(BETA, GAMMA);
        assertThat(attempts(runs).getFirst().end().cause()).isEqualTo(AttemptEnd.Cause.FENCED);
        assertThat(gamma.jobs()).anyMatch(job -> runs.id().attempt(2).equals(job.attempt()));
    }

    @Test
    void a_fenced_cluster_that_comes_back_ends_what_was_replaced_before_it_gets_jobs_again() {
        final Samples runs = submitted(job("A"));
        beta.silent = true;
        world.pass(Duration.ofMinutes(2));
        request(beta, Status.FENCED);
        world.pass(Duration.ofMinutes(11));
        world.settle();
        assertThat(attempts(runs)).hasSize(2);

        request(beta, Status.OPEN);
        assertThat(status(beta)).as("its agent is still silent").isEqualTo(Status.RETURNING);
        world.say(job("B").submitted(world.now));
        world.settle();
        assertThat(beta.jobs()).hasSize(1);

        beta.silent = false;
        world.settle();
        world.pass(Duration.ofSeconds(15));
        world.settle();
        assertThat(beta.jobs()).noneMatch(job -> runs.id().attempt(1).equals(job.attempt()));
        assertThat(status(beta)).isEqualTo(Status.OPEN);
        assertThat(gamma.jobs()).anyMatch(job -> runs.id().attempt(2).equals(job.attempt()));
    }

    @Test
    void a_job_whose_files_are_on_the_fenced_cluster_waits_for_its_return() {
        final Samples here = job("A");
        world.say(here.submitted(world.now));
        world.settle();
        alpha.silent = true;
        world.pass(Duration.ofMinutes(2));
        request(alpha, Status.FENCED);
        world.pass(Duration.ofMinutes(11));
        world.settle();
        assertThat(attempts(here)).hasSize(1);
        assertThat(world.plan(here).vetoes()).extracting("code").containsExactly("cluster-fenced");

        alpha.silent = false;
        request(alpha, Status.OPEN);
        assertThat(status(alpha)).isEqualTo(Status.RETURNING);
        world.pass(Duration.ofSeconds(15));
        world.settle();
        assertThat(status(alpha)).isEqualTo(Status.OPEN);
        assertThat(onlyJob(alpha).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void a_fenced_cluster_cannot_be_drained() {
        request(beta, Status.FENCED);
        request(beta, Status.DRAINED);
        assertThat(status(beta)).isEqualTo(Status.FENCED);
    }
}
