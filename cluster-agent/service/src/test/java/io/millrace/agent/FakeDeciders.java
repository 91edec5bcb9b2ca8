package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.ClusterView;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.EventSink;
import io.millrace.log.LogRecord;
import io.millrace.log.Topics;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** All deciders in one: writes commands to a cluster, and sees what its agent says. */
public final class FakeDeciders implements AutoCloseable {

    private static final Duration GENEROUS = Duration.ofMinutes(5);

    final ClusterId cluster = ClusterId.of("t" + UUID.randomUUID().toString().substring(0, 8));
    final ClusterView view = new ClusterView(cluster);
    final List<Outcome> outcomes = new ArrayList<>();
    final List<RunEnded> ends = new ArrayList<>();
    final EventSink sink;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private int count;

    FakeDeciders(final String bootstrap) {
        Topics.create(bootstrap, TestAgent.PARTITIONS, 1);
        Topics.create(bootstrap, cluster, 1);
        sink = new EventSink(bootstrap, "test", Clock.systemUTC(), Stack.PATIENT);
        consumer = new KafkaConsumer<>(
                Clients.consumer(bootstrap, "test-" + cluster, Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        final List<TopicPartition> mine = List.of(Topic.CLUSTER_STATE, Topic.OUTCOMES, Topic.JOB_ENDS).stream()
                .map(this::partition)
                .toList();
        consumer.assign(mine);
        consumer.seekToEnd(mine);
        mine.forEach(consumer::position);
    }

    TopicPartition partition(final Topic topic) {
        return new TopicPartition(topic.topicName(cluster), Topics.partitionOf(topic, cluster, TestAgent.PARTITIONS));
    }

    /** The end of a topic of this cluster. */
    long written(final Topic topic) {
        return consumer.endOffsets(List.of(partition(topic))).get(partition(topic));
    }

    // ---- what is said

    CommandId order(final Issuer issuer, final Action action, final Precondition... preconditions) {
        return order(issuer, action, Instant.now().plusSeconds(600), preconditions);
    }

    CommandId order(
            final Issuer issuer, final Action action, final Instant validUntil, final Precondition... preconditions) {
        final Command command = command(issuer, action, validUntil, preconditions);
        put(command);
        return command.id();
    }

    Command command(
            final Issuer issuer, final Action action, final Instant validUntil, final Precondition... preconditions) {
        return new Command(
                Command.idOf(issuer, action, count++),
                cluster,
                issuer,
                0,
                Instant.now(),
                validUntil,
                List.of(preconditions),
                action,
                "because the test says so");
    }

    void put(final io.millrace.model.Event event) {
        sink.put(event).join();
    }

    /** Orders, and expects it done. */
    Result.Done does(final Issuer issuer, final Action action, final Precondition... preconditions) {
        final Result answer = answer(order(issuer, action, preconditions));
        assertThat(answer).isInstanceOf(Result.Done.class);
        return (Result.Done) answer;
    }

    Result answers(final Issuer issuer, final Action action, final Precondition... preconditions) {
        return answer(order(issuer, action, preconditions));
    }

    JobKey submit(final AttemptId attempt, final Path directory, final JobSpec spec) {
        return does(Issuer.MIGRATION, new Action.Submit(attempt, UserName.of("anna"), spec, directory.toString(), ""))
                .job();
    }

    /** Submitted, released and started. */
    JobKey run(final Path directory, final JobSpec spec) {
        final JobKey job = released(directory, spec);
        does(Issuer.BACKFILL, new Action.Start(job));
        awaitState(job, JobState.Running.class);
        return job;
    }

    JobKey released(final Path directory, final JobSpec spec) {
        final JobKey job = submit(attempt(), directory, spec);
        does(Issuer.MIGRATION, new Action.Release(job));
        return job;
    }

    AttemptId attempt() {
        final String tail = "%016d".formatted(System.nanoTime() % 1_000_000_000_000L * 1000 + count++);
        return GlobalJobId.of("01HZZZZZZZ" + tail).attempt(1);
    }

    public static JobSpec spec(final String script, final int cores) {
        return new JobSpec(
                "job",
                script,
                null,
                Resources.cores(cores),
                Duration.ofMinutes(10),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
    }

    // ---- what is heard

    Result answer(final CommandId command) {
        await("the answer to " + command, () -> answers(command).size() > 0);
        return answers(command).get(0).result();
    }

    List<Outcome> answers(final CommandId command) {
        return outcomes.stream()
                .filter(outcome -> outcome.command().equals(command) && outcome.isAnswer())
                .toList();
    }

    long begun(final CommandId command) {
        return outcomes.stream()
                .filter(outcome -> outcome.command().equals(command) && !outcome.isAnswer())
                .count();
    }

    void awaitState(final JobKey job, final Class<? extends JobState> state) {
        await(job + " to be " + state.getSimpleName(), () -> {
            final JobObserved seen = view.job(job);
            return seen != null && state.isInstance(seen.state());
        });
    }

    RunEnded awaitEnd(final JobKey job) {
        await(
                "the end of " + job,
                () -> view.job(job) == null
                        && ends.stream().anyMatch(end -> end.job().equals(job)));
        return ends.stream()
                .filter(end -> end.job().equals(job))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    void await(final String what, final BooleanSupplier wanted) {
        final Instant limit = Instant.now().plus(GENEROUS);
        hear();
        while (!wanted.getAsBoolean()) {
            assertThat(Instant.now())
                    .as("waited in vain for " + what + "; heard " + outcomes + " " + ends + " " + view.jobs() + " "
                            + view.marker())
                    .isBefore(limit);
            hear();
        }
    }

    void hear() {
        for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            EventCodec.read(record).ifPresent(this::hear);
        }
    }

    private void hear(final LogRecord read) {
        if (read.isTombstone()) {
            view.remove(read.key());
        } else if (read.event() instanceof ClusterStateEvent event) {
            view.apply(event);
        } else if (read.event() instanceof Outcome outcome) {
            outcomes.add(outcome);
        } else if (read.event() instanceof RunEnded end) {
            ends.add(end);
        }
    }

    @Override
    public void close() {
        sink.close();
        consumer.close();
    }
}
