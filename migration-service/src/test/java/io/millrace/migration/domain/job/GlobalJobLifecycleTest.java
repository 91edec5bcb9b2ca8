package io.millrace.migration.domain.job;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.ANNA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.NOON;
import static io.millrace.migration.domain.Samples.job;
import static io.millrace.migration.domain.Samples.local;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Samples;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Aborted;
import io.millrace.model.job.GlobalJobState.End;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.Withdrawal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GlobalJobLifecycleTest {

    private static final Samples REMOTE = job("A").from(ALPHA).withMake();
    private static final Instant LATER = NOON.plusSeconds(60);
    private static final RunOutcome WELL = new RunOutcome.Exited(0);

    private static GlobalJob walk(final Samples job, final JobFact... facts) {
        return walk(GlobalJobLifecycle.accepted(job.submitted(NOON), NOON), facts);
    }

    private static GlobalJob walk(final GlobalJob from, final JobFact... facts) {
        GlobalJob at = from;
        for (final JobFact fact : facts) {
            at = GlobalJobLifecycle.after(at, fact, LATER)
                    .orElseThrow(() -> new AssertionError(fact + " moved nothing"));
        }
        return at;
    }

    private static JobFact.Placed placed() {
        return new JobFact.Placed(BETA, null, "/staging/anna/x", "idle");
    }

    private static JobFact.StopReceived stop() {
        return new JobFact.StopReceived(REMOTE.stop(NOON));
    }

    private static JobFact.RunFinished over(final RunOutcome outcome) {
        return new JobFact.RunFinished(local(BETA, 1), outcome);
    }

    private static Map<String, GlobalJob> states() {
        final JobFact found = new JobFact.LocalJobFound(local(BETA, 1));
        final Map<String, GlobalJob> states = new LinkedHashMap<>();
        states.put("Waiting", walk(REMOTE));
        states.put("Uploading", walk(REMOTE, placed()));
        states.put("Making", walk(REMOTE, placed(), new JobFact.Uploaded()));
        states.put("Submitted?", walk(REMOTE, placed(), new JobFact.Uploaded(), new JobFact.MakeSucceeded()));
        states.put("Submitted", walk(REMOTE, placed(), new JobFact.Uploaded(), new JobFact.MakeSucceeded(), found));
        states.put(
                "Downloading",
                walk(REMOTE, placed(), new JobFact.Uploaded(), new JobFact.MakeSucceeded(), found, over(WELL)));
        states.put(
                "End",
                walk(
                        REMOTE,
                        placed(),
                        new JobFact.Uploaded(),
                        new JobFact.MakeSucceeded(),
                        found,
                        over(WELL),
                        new JobFact.ResultsReturned()));
        states.put("Aborted", walk(REMOTE, new JobFact.Impossible("too wide")));
        states.put("Stopped", walk(REMOTE, stop()));
        states.put("Released", walk(states.get("Submitted"), new JobFact.Released()));
        states.put("Withdrawing", walk(states.get("Submitted"), new JobFact.WithdrawalDecided(withdrawal(false))));
        final GlobalJob bringing = walk(states.get("Released"), new JobFact.WithdrawalDecided(withdrawal(true)));
        states.put("Withdrawing with files", bringing);
        states.put("Bringing", walk(bringing, new JobFact.Withdrawn(local(BETA, 1))));
        states.put("Waiting+hold", walk(REMOTE, new JobFact.HoldReceived(REMOTE.hold(ANNA, NOON))));
        states.put("Released+hold", walk(states.get("Released"), new JobFact.HoldReceived(REMOTE.hold(ANNA, NOON))));
        for (final String runs : List.of("Uploading", "Making", "Submitted?", "Submitted", "Withdrawing")) {
            states.put(
                    runs + "+stop",
                    GlobalJobLifecycle.after(states.get(runs), stop(), LATER).orElseThrow());
        }
        return states;
    }

    private static Withdrawal withdrawal(final boolean bringsFiles) {
        return new Withdrawal(
                new AttemptEnd(AttemptEnd.Cause.MOVED, "gamma starts it earlier"), NOON, GAMMA, bringsFiles);
    }

    private static Map<String, JobFact> facts() {
        final Map<String, JobFact> facts = new LinkedHashMap<>();
        facts.put("Delayed", new JobFact.Delayed("busy"));
        facts.put("Impossible", new JobFact.Impossible("too wide"));
        facts.put("Placed", placed());
        facts.put("Arrived", new JobFact.Uploaded());
        facts.put("Made", new JobFact.MakeSucceeded());
        facts.put("Lost, again", new JobFact.AttemptFailed("refused", true));
        facts.put("Lost", new JobFact.AttemptFailed("refused", false));
        facts.put("LocalFound", new JobFact.LocalJobFound(local(BETA, 1)));
        facts.put("Released", new JobFact.Released());
        facts.put("GoesOn", new JobFact.RunContinued(local(BETA, 1), local(BETA, 9)));
        facts.put("GoesOn, other", new JobFact.RunContinued(local(BETA, 2), local(BETA, 9)));
        facts.put("Over", over(WELL));
        facts.put("Over, unknown", over(new RunOutcome.Unknown("sacct was silent")));
        facts.put("Over, requeued", over(new RunOutcome.Requeued()));
        facts.put("Over, other", new JobFact.RunFinished(local(BETA, 2), WELL));
        facts.put("ResultsHome", new JobFact.ResultsReturned());
        facts.put("ResultsLost", new JobFact.ResultsLost("disk full"));
        facts.put("StopAsked", stop());
        facts.put("NothingRuns", new JobFact.NothingRunning());
        facts.put("HoldAsked", new JobFact.HoldReceived(REMOTE.hold(ANNA, NOON)));
        facts.put("ReleaseAsked", new JobFact.ReleaseReceived(REMOTE.release(NOON)));
        facts.put("AlterAsked", new JobFact.AlterReceived(REMOTE.alter(NOON, Duration.ofHours(2), 2, 7)));
        facts.put(
                "AlterAsked, walltime", new JobFact.AlterReceived(REMOTE.alter(NOON, Duration.ofHours(3), null, null)));
        facts.put("LocalHeld", new JobFact.LocalJobHeld());
        facts.put("Withdraw", new JobFact.WithdrawalDecided(withdrawal(false)));
        facts.put("WithdrawalRefused", new JobFact.WithdrawalRefused());
        facts.put("Withdrawn", new JobFact.Withdrawn(local(BETA, 1)));
        facts.put("Withdrawn, other", new JobFact.Withdrawn(local(BETA, 2)));
        facts.put("Drained", new JobFact.Abandoned(new AttemptEnd(AttemptEnd.Cause.DRAINED, "beta is drained")));
        facts.put("Fenced", new JobFact.Abandoned(new AttemptEnd(AttemptEnd.Cause.FENCED, "beta is fenced")));
        return facts;
    }

    @Test
    void every_pair_of_state_and_fact_has_a_defined_result() {
        final Map<String, Map<String, String>> moves = new LinkedHashMap<>();
        states().forEach((name, job) -> {
            final Map<String, String> to = new TreeMap<>();
            facts().forEach((fact, value) ->
                    GlobalJobLifecycle.after(job, value, LATER).ifPresent(next -> to.put(fact, describe(next))));
            moves.put(name, to);
        });
        final String seen = moves.entrySet().stream()
                .map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining("\n"));
        assertThat(seen).isEqualTo("""
            Waiting: {AlterAsked=Waiting, AlterAsked, walltime=Waiting, Delayed=Waiting, HoldAsked=Waiting+hold, Impossible=Aborted, Placed=Uploading, StopAsked=Stopped}
            Uploading: {Arrived=Making, Drained=Waiting, Fenced=Waiting, HoldAsked=Uploading+hold, Lost=Aborted, Lost, again=Waiting, StopAsked=Uploading+stop}
            Making: {Fenced=Waiting, HoldAsked=Making+hold, Lost=Aborted, Lost, again=Waiting, Made=Submitted?, StopAsked=Making+stop}
            Submitted?: {AlterAsked, walltime=Submitted?, Fenced=Waiting, GoesOn=Submitted, GoesOn, other=Submitted, HoldAsked=Submitted?+hold, LocalFound=Submitted, Lost=Aborted, Lost, again=Waiting, Over=Downloading, Over, other=Downloading, Over, unknown=Aborted, StopAsked=Submitted?+stop}
            Submitted: {AlterAsked, walltime=Submitted, Fenced=Waiting, GoesOn=Submitted, HoldAsked=Submitted+hold, Over=Downloading, Over, unknown=Aborted, Released=Released, StopAsked=Submitted+stop, Withdraw=Withdrawing}
            Downloading: {ResultsHome=End, ResultsLost=Aborted, StopAsked=Stopped}
            End: {}
            Aborted: {}
            Stopped: {}
            Released: {AlterAsked, walltime=Released, Fenced=Waiting, GoesOn=Released, HoldAsked=Released+hold, LocalHeld=Submitted, Over=Downloading, Over, unknown=Aborted, StopAsked=Released+stop, Withdraw=Withdrawing}
            Withdrawing: {AlterAsked, walltime=Withdrawing, Fenced=Waiting, GoesOn=Withdrawing, HoldAsked=Withdrawing+hold, Over=Downloading, Over, unknown=Aborted, Released=Withdrawing, StopAsked=Withdrawing+stop, WithdrawalRefused=Submitted, Withdrawn=Waiting}
            Withdrawing with files: {AlterAsked, walltime=Withdrawing, Fenced=Waiting, GoesOn=Withdrawing, HoldAsked=Withdrawing+hold, LocalHeld=Withdrawing, Over=Downloading, Over, unknown=Aborted, StopAsked=Withdrawing+stop, Withdraw=Withdrawing, WithdrawalRefused=Released, Withdrawn=Bringing}
            Bringing: {HoldAsked=Bringing+hold, ResultsHome=Waiting, ResultsLost=Waiting, StopAsked=Stopped}
            Waiting+hold: {AlterAsked=Waiting+hold, AlterAsked, walltime=Waiting+hold, Delayed=Waiting+hold, Impossible=Aborted, Placed=Uploading+hold, ReleaseAsked=Waiting, StopAsked=Stopped}
            Released+hold: {AlterAsked, walltime=Released+hold, Fenced=Waiting+hold, GoesOn=Released+hold, LocalHeld=Submitted+hold, Over=Downloading+hold, Over, unknown=Aborted, ReleaseAsked=Released, StopAsked=Released+stop+hold, Withdraw=Withdrawing+hold}
            Uploading+stop: {Arrived=Stopped, Drained=Stopped, Fenced=Stopped, HoldAsked=Uploading+stop+hold, Lost=Stopped, Lost, again=Stopped}
            Making+stop: {Fenced=Stopped, HoldAsked=Making+stop+hold, Lost=Stopped, Lost, again=Stopped, Made=Stopped, NothingRuns=Stopped}
            Submitted?+stop: {AlterAsked, walltime=Submitted?+stop, Fenced=Stopped, GoesOn=Submitted+stop, GoesOn, other=Submitted+stop, HoldAsked=Submitted?+stop+hold, LocalFound=Submitted+stop, Lost=Stopped, Lost, again=Stopped, NothingRuns=Stopped, Over=Stopped, Over, other=Stopped, Over, unknown=Stopped}
            Submitted+stop: {AlterAsked, walltime=Submitted+stop, Fenced=Stopped, GoesOn=Submitted+stop, HoldAsked=Submitted+stop+hold, Over=Stopped, Over, unknown=Stopped, Released=Released+stop}
            Withdrawing+stop: {AlterAsked, walltime=Withdrawing+stop, Fenced=Stopped, GoesOn=Withdrawing+stop, HoldAsked=Withdrawing+stop+hold, Over=Stopped, Over, unknown=Stopped, Released=Withdrawing+stop, WithdrawalRefused=Submitted+stop, Withdrawn=Stopped}\
            """.stripIndent());
    }

    private static String describe(final GlobalJob job) {
        return word(job.state()) + (job.stop() == null ? "" : "+stop") + (job.hold() == null ? "" : "+hold");
    }

    private static String word(final GlobalJobState state) {
        return switch (state) {
            case Submitted s when s.localJob() == null -> "Submitted?";
            case Submitted s when s.withdrawal() != null -> "Withdrawing";
            case Submitted s when s.released() -> "Released";
            case GlobalJobState.Downloading d when !d.outcome().endsTheJob() -> "Bringing";
            default -> state.word();
        };
    }

    @Test
    void a_job_that_is_submitted_with_a_hold_is_held_until_it_is_released() {
        final JobSubmitted plain = REMOTE.submitted(NOON);
        final JobSubmitted submission = new JobSubmitted(
                plain.job(),
                plain.number(),
                plain.owner(),
                plain.spec(),
                plain.source(),
                plain.directory(),
                plain.target(),
                NOON,
                plain.signature(),
                plain.batch(),
                plain.dependency(),
                plain.request(),
                plain.files(),
                plain.issuer(),
                true);
        final GlobalJob held = GlobalJobLifecycle.accepted(submission, LATER);

        assertThat(held.holdKind()).isEqualTo(HoldKind.USER);
        assertThat(GlobalJobLifecycle.after(held, new JobFact.ReleaseReceived(REMOTE.release(LATER)), LATER))
                .get()
                .extracting(GlobalJob::hold)
                .isNull();
        assertThat(GlobalJobLifecycle.accepted(plain, LATER).hold()).isNull();
    }

    @Test
    void a_job_that_runs_on_its_source_cluster_is_neither_uploaded_nor_downloaded() {
        final Samples here = job("A").from(ALPHA);
        final GlobalJob submitted = walk(here, new JobFact.Placed(ALPHA, null, "/home/anna/x", "idle"));
        assertThat(submitted.state()).isInstanceOf(Submitted.class);

        final GlobalJob over = walk(
                here,
                new JobFact.Placed(ALPHA, null, "/home/anna/x", "idle"),
                new JobFact.LocalJobFound(local(ALPHA, 1)),
                new JobFact.RunFinished(local(ALPHA, 1), new RunOutcome.Exited(3)));
        assertThat(over.state()).isEqualTo(new End(new RunOutcome.Exited(3)));
    }

    @Test
    void a_continued_job_ends_only_with_its_new_key() {
        final GlobalJob moved = GlobalJobLifecycle.after(
                        states().get("Submitted"), new JobFact.RunContinued(local(BETA, 1), local(BETA, 9)), LATER)
                .orElseThrow();
        assertThat(moved.attempt().localJob()).isEqualTo(local(BETA, 9));
        assertThat(moved.attempt().endedAt()).isNull();
        assertThat(moved.attempts()).hasSize(1);
        assertThat(GlobalJobLifecycle.after(moved, over(WELL), LATER))
                .as("the old key")
                .isEmpty();
        assertThat(GlobalJobLifecycle.after(moved, new JobFact.RunFinished(local(BETA, 9), WELL), LATER)
                        .orElseThrow()
                        .state())
                .isInstanceOf(GlobalJobState.Downloading.class);
    }

    @Test
    void an_attempt_lasts_until_its_run_ends_and_the_next_one_counts_up() {
        final GlobalJob again = walk(REMOTE, placed(), new JobFact.AttemptFailed("upload failed", true), placed());
        assertThat(again.attempts()).extracting("number").containsExactly(1, 2);
        assertThat(again.attempts().get(0).endedAt()).isEqualTo(LATER);
        assertThat(again.attempts().get(1).endedAt()).isNull();
        assertThat(((Uploading) again.state()).transfer().value()).endsWith(".2/upload");
    }

    @Test
    void each_change_counts_the_version_and_only_a_new_state_sets_its_time() {
        final GlobalJob waiting = walk(REMOTE);
        final GlobalJob delayed = GlobalJobLifecycle.after(waiting, new JobFact.Delayed("busy"), LATER)
                .orElseThrow();
        assertThat(delayed.version()).isEqualTo(2);
        assertThat(delayed.since()).isEqualTo(NOON);
        assertThat(walk(REMOTE, placed()).since()).isEqualTo(LATER);
    }

    @Test
    void a_stop_during_the_download_names_where_the_results_remain() {
        final GlobalJob stopped = GlobalJobLifecycle.after(states().get("Downloading"), stop(), LATER)
                .orElseThrow();
        assertThat(((Stopped) stopped.state()).by()).isEqualTo(ANNA);
        assertThat(((Stopped) stopped.state()).reason())
                .contains("no longer needed", "beta:/staging/anna/x", "exit code 0");
    }

    @Test
    void an_unknown_end_does_not_count_as_success() {
        final GlobalJob aborted = GlobalJobLifecycle.after(
                        states().get("Submitted"), over(new RunOutcome.Unknown("sacct was silent")), LATER)
                .orElseThrow();
        assertThat(((Aborted) aborted.state()).reason()).contains("sacct was silent", "beta:/staging/anna/x");
    }

    @Test
    void the_sample_states_are_those_of_the_model() {
        final Set<Class<?>> walked =
                states().values().stream().map(job -> job.state().getClass()).collect(Collectors.toSet());
        assertThat(walked).isEqualTo(Set.of(GlobalJobState.class.getPermittedSubclasses()));
    }
}
