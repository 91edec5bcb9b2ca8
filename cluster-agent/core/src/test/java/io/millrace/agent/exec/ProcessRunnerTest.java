package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessRunnerTest {

    private final Runner runner = new ProcessRunner(new Accounts());

    /** What a program does with its standard input. */
    private record Feed(byte[] input, List<String> argv) implements CommandLine<String> {

        @Override
        public Duration limit() {
            return Duration.ofMinutes(1);
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return Answer.ok(result.outputText().strip());
        }
    }

    @Test
    void an_agent_killed_while_it_hands_in_a_script_cannot_leave_half_of_it() {
        // A pipe would end where the agent died; a file is whole or not there.
        assertThat(runner.run(new Feed(bytes("script"), List.of("stat", "-L", "-c", "%F", "/proc/self/fd/0"))))
                .isEqualTo(Answer.ok("regular file"));
    }

    @Test
    void input_longer_than_any_pipe_arrives_byte_for_byte() {
        assertThat(runner.run(new Feed(bytes("0123456789".repeat(100_000)), List.of("wc", "-c"))))
                .isEqualTo(Answer.ok("1000000"));
    }

    @Test
    void a_program_without_input_finds_none() {
        assertThat(runner.run(new Feed(new byte[0], List.of("wc", "-c")))).isEqualTo(Answer.ok("0"));
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
