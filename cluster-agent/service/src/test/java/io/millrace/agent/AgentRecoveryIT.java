package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Submission;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.policy.PlanClosed;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of an agent, a second agent, and times without deciders, broker or workload manager. */
class AgentRecoveryIT extends AgentScenario {

    @Test
    void the_end_of_a_job_that_was_never_observed_is_published_once_across_restarts() {
        deciders.await("a first look", () -> deciders.view.marker() != null);
        agent.close();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log -> log,
                wlm -> WlmWithoutAccounting.blindTo("passing", wlm));
        final JobKey job = past("passing");
        assertThat(deciders.awaitEnd(job)).satisfies(end -> {
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Exited(0));
            assertThat(end.name()).isEqualTo("passing");
            assertThat(end.run()).isEqualTo(1);
        });

        agent.close();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log -> log,
                wlm -> WlmWithoutAccounting.blindTo("passing", wlm));
        final JobKey next = past("passing");
        deciders.awaitEnd(next);
        assertThat(deciders.ends).extracting(RunEnded::job).containsExactly(job, next);
    }

    @Test
    void a_new_life_settles_what_ended_meanwhile_and_counts_its_revisions_on() throws Exception {
        final JobKey over =
                deciders.run(directory, spec("#!/bin/bash\nwhile [ ! -e go ]; do sleep 0.1; done\nexit 7\n", 1));
        final JobKey still = deciders.run(directory, spec(SLEEP, 1));
        final long before = deciders.view.marker().revision();
        agent.close();
        Files.createFile(directory.resolve("go"));
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home);

        assertThat(deciders.awaitEnd(over).outcome()).isEqualTo(new RunOutcome.Exited(7));
        assertThat(deciders.view.job(still).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.view.marker().revision()).isGreaterThan(before);
        assertThat(deciders.ends).filteredOn(end -> end.job().equals(over)).hasSize(1);
    }

    @Test
    void of_two_agents_of_one_cluster_only_the_newer_one_acts(@TempDir final Path otherHome) throws Exception {
        deciders.await("a marker", () -> deciders.view.marker() != null);
        final TestAgent newer = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, otherHome);
        try {
            assertThat(agent.takenOver.await(5, TimeUnit.MINUTES)).isTrue();
            final CommandId submit = deciders.order(
                    Issuer.MIGRATION,
                    new Action.Submit(
                            deciders.attempt(), UserName.of("anna"), spec(SLEEP, 1), directory.toString(), ""));
            assertThat(deciders.answer(submit)).isInstanceOf(Result.Done.class);
            assertThat(deciders.begun(submit)).isEqualTo(1);
            assertThat(agent.cluster.observe().get().jobs()).isEmpty();
            assertThat(newer.cluster.observe().get().jobs()).hasSize(1);
        } finally {
            newer.cluster.observe().get().jobs().forEach(job -> newer.cluster.cancel(job.job()));
            newer.close();
        }
    }

    @Test
    void without_active_deciders_control_becomes_native_and_later_directed_again() {
        agent.close();
        agent = agentWithShortDeciderTimeout(UnaryOperator.identity());
        final JobKey job = deciders.released(directory, spec("#!/bin/sh\ntrue\n", 1));
        assertThat(deciders.awaitEnd(job).outcome())
                .as("the local scheduler starts it")
                .isEqualTo(new RunOutcome.Exited(0));
        deciders.await("native control", () -> deciders.view.marker().control() == Control.NATIVE);
        deciders.await("directed control", () -> {
            deciders.put(new PlanClosed(deciders.cluster, Issuer.BACKFILL, 1, Instant.now(), 0, 0));
            return deciders.view.marker().control() == Control.DIRECTED;
        });
        assertThat(home.resolve("heartbeat")).exists();
    }

    @Test
    void without_a_log_control_becomes_native() {
        final JobKey job = deciders.released(directory, spec("#!/bin/sh\ntrue\n", 1));
        agent.close();
        final AtomicBoolean away = new AtomicBoolean(true);
        agent = agentWithShortDeciderTimeout(log -> new Away(log, away));
        deciders.await("native control", () -> agent.cluster.control().get() == Control.NATIVE);
        assertThat(agent.agent.problem()).contains("no broker");

        away.set(false);
        assertThat(deciders.awaitEnd(job).outcome()).isEqualTo(new RunOutcome.Exited(0));
        deciders.await("the agent to work again", () -> agent.agent.problem() == null);
    }

    @Test
    void a_silent_workload_manager_is_unknown_and_never_empty() {
        final JobKey job = deciders.run(directory, spec(SLEEP, 1));
        agent.close();
        final AtomicBoolean silent = new AtomicBoolean();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log -> log,
                wlm -> UnresponsiveWlm.when(silent, wlm));
        final long before = deciders.view.marker().revision();
        deciders.await("the new life", () -> deciders.view.marker().revision() > before);

        silent.set(true);
        deciders.await("a stale marker", () -> deciders.view.marker().health() instanceof WlmHealth.Stale);
        assertThat(deciders.view.job(job).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.view.nodes()).hasSize(2);
        assertThat(deciders.view.marker().free().cores()).isEqualTo(3);
        assertRefused(deciders.answers(Issuer.BACKFILL, new Action.Requeue(job)), Refusal.STALE, "does not answer");
        final long stale = deciders.view.marker().revision();
        deciders.await("heartbeats", () -> deciders.view.marker().revision() > stale + 1);
        assertThat(deciders.view.job(job)).isNotNull();

        silent.set(false);
        deciders.await("an answer", () -> deciders.view.marker().health() instanceof WlmHealth.Answering);
        assertThat(deciders.view.job(job).state()).isInstanceOf(JobState.Running.class);
        assertThat(deciders.ends).isEmpty();
    }

    @Test
    void after_a_transaction_with_unknown_result_the_log_decides() throws IOException {
        agent.close();
        final AtomicReference<Class<?>> doubt = new AtomicReference<>();
        agent = new TestAgent(
                Stack.kafka().bootstrapServers(), deciders.cluster, home, log -> new Unsure(log, doubt), wlm -> wlm);
        final JobKey job = deciders.released(directory, spec("#!/bin/sh\necho run >>runs\n", 1));

        doubt.set(Result.Begun.class);
        final CommandId first = deciders.order(Issuer.BACKFILL, new Action.Start(job));
        assertThat(deciders.answer(first)).isInstanceOf(Result.Failed.class);
        assertThat(directory.resolve("runs")).doesNotExist();

        doubt.set(Result.Done.class);
        final CommandId second = deciders.order(Issuer.BACKFILL, new Action.Start(job));
        assertThat(deciders.answer(second)).isInstanceOf(Result.Done.class);
        assertThat(deciders.awaitEnd(job).outcome()).isEqualTo(new RunOutcome.Exited(0));
        deciders.does(Issuer.MIGRATION, new Action.Cancel(deciders.released(directory, spec(SLEEP, 1))));
        assertThat(Files.readString(directory.resolve("runs"))).isEqualTo("run\n");
        final long commands = deciders.written(io.millrace.model.protocol.Topic.COMMANDS);
        deciders.await(
                "a marker that includes all", () -> deciders.view.marker().commandsIncluded() >= commands);
        assertThat(deciders.begun(first)).isEqualTo(1);
        assertThat(deciders.answers(first)).hasSize(1);
        assertThat(deciders.answers(second)).hasSize(1);
    }

    /** A job that a user hands in past Millrace, and starts. */
    private JobKey past(final String name) {
        final JobSpec plain = spec("#!/bin/sh\ntrue\n", 1);
        final JobKey job = agent.cluster
                .submitLocally(new Submission(
                        deciders.attempt(),
                        UserName.of("anna"),
                        new JobSpec(
                                name,
                                plain.script(),
                                null,
                                plain.resources(),
                                plain.walltime(),
                                null,
                                null,
                                Map.of(),
                                plain.checkpoint(),
                                false),
                        directory.toString()))
                .get();
        agent.cluster.start(job).get();
        return job;
    }

    private TestAgent agentWithShortDeciderTimeout(final UnaryOperator<AgentLog> log) {
        return new TestAgent(
                Stack.kafka().bootstrapServers(),
                deciders.cluster,
                home,
                log,
                UnaryOperator.identity(),
                Duration.ofSeconds(10));
    }

    /** A log that cannot be reached for a while. */
    private record Away(AgentLog log, AtomicBoolean away) implements AgentLog {

        @Override
        public ReplayedState open() {
            if (away.get()) {
                throw new Unavailable("no broker", new java.io.IOException());
            }
            return log.open();
        }

        @Override
        public void commit(final List<Entry> entries) {
            log.commit(entries);
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            return log.poll(patience);
        }

        @Override
        public void wake() {
            log.wake();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    /** Once a result of this kind is written, and nobody learns that it was. */
    private record Unsure(AgentLog log, AtomicReference<Class<?>> doubt) implements AgentLog {

        @Override
        public void commit(final List<Entry> entries) {
            log.commit(entries);
            if (entries.get(0) instanceof Entry.Put put
                    && put.event() instanceof io.millrace.model.command.Outcome outcome
                    && doubt.compareAndSet(outcome.result().getClass(), null)) {
                throw new Unavailable("no acknowledgement", new java.util.concurrent.TimeoutException());
            }
        }

        @Override
        public ReplayedState open() {
            return log.open();
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            return log.poll(patience);
        }

        @Override
        public void wake() {
            log.wake();
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
