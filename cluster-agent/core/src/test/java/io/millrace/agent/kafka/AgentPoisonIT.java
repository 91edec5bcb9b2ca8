package io.millrace.agent.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.AgentLog;
import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.EventSink;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.command.Command;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import io.millrace.testing.service.PoisonedLog;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentPoisonIT {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final int PARTITIONS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static Command good(final int number) {
        return (Command) PoisonedLog.sample(
                "millrace.command.issued.v1.start", "4711@", "777" + number + "@", "4711_7@", "777" + number + "_7@");
    }

    private static void receives(final AgentLog log, final EventSink services, final Command command) {
        services.put(command).join();
        final long until = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < until) {
            final List<AgentLog.Incoming> in = log.poll(Duration.ofSeconds(1));
            if (in.stream()
                    .anyMatch(one -> one instanceof AgentLog.Incoming.CommandReceived received
                            && received.command().id().equals(command.id()))) {
                return;
            }
        }
        throw new AssertionError("command " + command.id() + " was not received");
    }

    @Attack("poisoned records on every topic keep an agent from its next command")
    @Test
    void the_agent_reads_the_next_command_now_and_after_a_restart(@TempDir final Path data) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(data, 0)) {
            final String servers = broker.bootstrapServers();
            Topics.create(servers, PARTITIONS, 1);
            try (KafkaAgentLog log = new KafkaAgentLog(servers, 1, ALPHA, Clock.systemUTC(), Optional.empty());
                    EventSink services = new EventSink(servers, "test", Clock.systemUTC(), Stack.PATIENT)) {
                log.open();
                receives(log, services, good(1));
                PoisonedLog.write(servers, 1366, 3_000);
                receives(log, services, good(2));
                assertThat(log.open())
                        .as("the agent starts again on the poisoned log")
                        .isNotNull();
                receives(log, services, good(3));
            }
        }
    }
}
