package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.testing.Stack;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One agent, one embedded cluster of four cores, and the broker that all tests of the module share. */
abstract class AgentScenario {

    static final String SLEEP = "#!/bin/sh\nexec sleep 600\n";

    /** The grace of a job that saves itself at once; long, because the machine may be busy. */
    static final Duration ENOUGH = Duration.ofMinutes(5);

    @TempDir
    Path home;

    @TempDir
    Path directory;

    FakeDeciders deciders;
    TestAgent agent;

    @BeforeEach
    void start() {
        deciders = new FakeDeciders(Stack.kafka().bootstrapServers());
        TestAccounts.give(directory);
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home);
    }

    @AfterEach
    void stop() {
        agent.cluster.observe().get().jobs().forEach(job -> agent.cluster.cancel(job.job()));
        deciders.await(
                "an empty queue", () -> agent.cluster.observe().get().jobs().isEmpty());
        agent.close();
        deciders.close();
    }

    static void assertRefused(final Result result, final Refusal why, final String because) {
        assertThat(result).isInstanceOfSatisfying(Result.Refused.class, refused -> {
            assertThat(refused.refusal()).isEqualTo(why);
            assertThat(refused.reason()).contains(because);
        });
    }
}
