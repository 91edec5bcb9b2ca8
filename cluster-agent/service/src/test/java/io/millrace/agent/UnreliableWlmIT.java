package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.log.EventCodec;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.testing.Stack;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bad weather: whatever the workload manager says or does not say, the last picture stays and nothing is done on it. */
class UnreliableWlmIT {

    private static final String SLEEP = "#!/bin/sh\nexec sleep 600\n";

    @TempDir
    Path home;

    @TempDir
    Path directory;

    private final AtomicReference<Weather> weather = new AtomicReference<>(Weather.FAIR);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicReference<String> refusal = new AtomicReference<>();
    private final AtomicReference<UnaryOperator<JobObserved>> distortion =
            new AtomicReference<>(UnaryOperator.identity());
    private FakeDeciders deciders;
    private TestAgent agent;

    /** What a look at the workload manager brings. */
    enum Weather {
        FAIR(seen -> seen),
        DOWN(seen -> Answer.trouble(Answer.Kind.DOWN, "slurmctld cannot be reached")),
        /** An error message that is larger than a record. */
        LOUD(seen -> Answer.trouble(Answer.Kind.DOWN, "no".repeat(EventCodec.MAX_RECORD_BYTES))),
        HANGING(seen -> Answer.trouble(Answer.Kind.TIMEOUT, "'squeue' did not answer within 10 s and was killed")),
        HALF(seen -> Answer.trouble(Answer.Kind.UNREADABLE, "squeue broke off in the midst of a row")),
        /** A header, no rows, exit 0: as a daemon answers that has not read its own state yet. */
        EMPTY(seen -> seen.map(all -> new Observation(all.at(), all.control(), List.of(), List.of(), List.of()))),
        BROKEN(seen -> {
            throw new java.io.UncheckedIOException(
                    "cannot start 'squeue'", new java.io.IOException("No such file or directory"));
        });

        private final UnaryOperator<Answer<Observation>> brings;

        Weather(final UnaryOperator<Answer<Observation>> brings) {
            this.brings = brings;
        }
    }

    @BeforeEach
    void start() {
        deciders = new FakeDeciders(Stack.kafka().bootstrapServers());
        TestAccounts.give(directory);
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home, log -> log, this::under);
    }

    @AfterEach
    void stop() {
        agent.cluster.observe().get().jobs().forEach(job -> agent.cluster.cancel(job.job()));
        deciders.await(
                "an empty queue", () -> agent.cluster.observe().get().jobs().isEmpty());
        agent.close();
        deciders.close();
    }

    @SuppressWarnings("unchecked")
    private WorkloadManager under(final WorkloadManager real) {
        return Intercepted.of(real, List.of(Observing.class, Requeueing.class), (method, call) -> {
            if (method.getName().equals("requeue") && refusal.get() != null) {
                return Answer.trouble(Answer.Kind.REJECTED, refusal.get());
            }
            final Object answer = call.call();
            if (!method.getName().equals("observe")) {
                return answer;
            }
            looks.incrementAndGet();
            return weather.get().brings.apply(((Answer<Observation>) answer).map(this::distorted));
        });
    }

    private Observation distorted(final Observation seen) {
        return new Observation(
                seen.at(),
                seen.control(),
                seen.jobs().stream().map(distortion.get()).toList(),
                seen.nodes(),
                seen.partitions());
    }

    @ParameterizedTest
    @EnumSource(names = "FAIR", mode = EnumSource.Mode.EXCLUDE)
    void the_last_picture_stays_stale_nothing_is_done_on_it_and_it_clears_up(final Weather bad) {
        final JobKey job = deciders.run(directory, spec(SLEEP, 1));
        weather.set(bad);
        deciders.await("a stale marker", () -> deciders.view.marker().health() instanceof WlmHealth.Stale);
        assertThat(agent.agent.wlmStatus().failedPolls()).isPositive();
        assertThat(agent.agent.wlmStatus().lastAnsweredAt()).isNotNull();
        assertThat(deciders.view.job(job).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.view.nodes()).hasSize(2);
        assertThat(deciders.answers(Issuer.BACKFILL, new Action.Requeue(job)))
                .isInstanceOfSatisfying(Result.Refused.class, refused -> {
                    assertThat(refused.refusal()).isEqualTo(Refusal.STALE);
                    assertThat(refused.reason()).contains("does not answer");
                });
        assertThat(agent.agent.problem()).as("the agent itself is well").isNull();

        weather.set(Weather.FAIR);
        deciders.await("fair weather", () -> deciders.view.marker().health() instanceof WlmHealth.Answering);
        assertThat(deciders.view.job(job)).extracting(JobObserved::restarts).isEqualTo(0);
        assertThat(deciders.ends).isEmpty();
        deciders.does(Issuer.BACKFILL, new Action.Requeue(job));
    }

    @Test
    void an_error_message_that_is_too_large_for_the_log_is_shortened_and_the_next_command_is_executed() {
        final JobKey job = deciders.run(directory, spec(SLEEP, 1));
        refusal.set("no".repeat(EventCodec.MAX_RECORD_BYTES));

        assertThat(deciders.answers(Issuer.BACKFILL, new Action.Requeue(job)))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).startsWith("nono").endsWith("… (2097152 characters)"));
        assertThat(agent.agent.problem()).as("the agent itself is well").isNull();
        refusal.set(null);
        deciders.does(Issuer.BACKFILL, new Action.Requeue(job));
    }

    @Test
    void a_name_and_a_reason_that_are_too_large_for_the_log_are_shortened_and_the_cluster_is_observed_on() {
        final JobKey huge = deciders.run(directory, spec(SLEEP, 1));
        final String text = "\uD83D\uDE00".repeat(EventCodec.MAX_RECORD_BYTES);
        distortion.set(job -> job.job().equals(huge) ? withTexts(job, text, text) : job);

        deciders.await("a shortened name", () -> deciders.view.job(huge).name().endsWith("… (2097152 characters)"));
        assertThat(deciders.view.job(huge).reason()).endsWith("… (2097152 characters)");
        final JobKey other = deciders.run(directory, spec(SLEEP, 1));
        assertThat(agent.agent.problem()).as("the agent itself is well").isNull();
        deciders.does(Issuer.BACKFILL, new Action.Requeue(other));
    }

    @Test
    void a_job_that_is_too_large_for_the_log_is_shown_as_last_published_and_the_cluster_is_observed_on() {
        final JobKey huge = deciders.run(directory, spec(SLEEP, 1));
        final List<NodeName> nodes = IntStream.range(0, 100_000)
                .mapToObj(at -> NodeName.of("node-" + at))
                .toList();
        distortion.set(job -> job.job().equals(huge)
                ? job.in(new JobState.Running(Instant.EPOCH, nodes)).withPriority(7)
                : job);

        final JobKey other = deciders.run(directory, spec(SLEEP, 1));
        deciders.does(Issuer.BACKFILL, new Action.Requeue(other));
        assertThat(deciders.view.job(huge).state())
                .isInstanceOfSatisfying(
                        JobState.Running.class,
                        running -> assertThat(running.nodes()).hasSize(1));
        assertThat(agent.agent.problem()).as("the agent itself is well").isNull();

        distortion.set(job -> job.withPriority(8));
        deciders.await("its next state", () -> deciders.view.job(huge).priority() == 8);
    }

    private static JobObserved withTexts(final JobObserved job, final String name, final String reason) {
        return new JobObserved(
                job.job(),
                name,
                job.owner(),
                job.project(),
                job.partition(),
                job.state(),
                reason,
                job.resources(),
                job.walltime(),
                job.eligibility(),
                job.attempt(),
                job.restarts(),
                job.priority(),
                job.checkpoint(),
                job.detail());
    }

    @Test
    void a_workload_manager_that_is_away_is_asked_more_and_more_seldom_while_its_silence_is_said_on() {
        deciders.await("a marker", () -> deciders.view.marker() != null);
        weather.set(Weather.DOWN);
        deciders.await("a stale marker", () -> deciders.view.marker().health() instanceof WlmHealth.Stale);
        final long revision = deciders.view.marker().revision();
        final int before = looks.get();
        deciders.await(
                "five heartbeats, 1 s apart", () -> deciders.view.marker().revision() >= revision + 5);
        // Looks come 0.2, 0.4, 0.8, 1.6, 3.2… s apart; at the usual pace there would be 25 of them.
        assertThat(looks.get() - before).isLessThan(15);

        weather.set(Weather.FAIR);
        deciders.await("fair weather", () -> deciders.view.marker().health() instanceof WlmHealth.Answering);
        assertThat(agent.agent.wlmStatus().failedPolls()).isZero();
    }
}
