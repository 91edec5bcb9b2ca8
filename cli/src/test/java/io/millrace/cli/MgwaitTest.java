package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.text.Terminal;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class MgwaitTest {

    @TempDir
    Path home;

    private static String ended(final int exitCode) {
        return "{\"state\":\"failed\",\"finished\":true,\"outcome\":{\"exitCode\":" + exitCode + "}}";
    }

    @Test
    void the_exit_code_is_that_of_the_first_job_that_failed() throws Exception {
        try (FakeApi api = new FakeApi(home)
                .answer("/jobs/01A", ended(0))
                .answer("/jobs/01B", ended(3))
                .answer("/jobs/01C", ended(5))) {
            final Mgwait command = new Mgwait(new Terminal(false, false, 0, false));
            new CommandLine(command).parseArgs("01A", "01B", "01C");

            assertThat(command.run(api.client())).isEqualTo(3);
            assertThat(api.requests()).containsExactly("GET /jobs/01A", "GET /jobs/01B", "GET /jobs/01C");
        }
    }

    @Test
    void a_batch_succeeds_if_every_job_exited_with_0() throws Exception {
        final String counts =
                "{\"id\":\"01JNFQ6M5T8W3KZX9B2C4D0000\",\"finished\":true,\"jobs\":5,\"counts\":[{\"state\":\"succeeded\",\"jobs\":3},{\"state\":\"%s\",\"jobs\":2}]}";
        try (FakeApi api = new FakeApi(home)
                .answer("/jobs/4711", counts.formatted("succeeded"))
                .answer("/jobs/4712", counts.formatted("stopped"))) {
            final WaitForJob waiting = new WaitForJob(api.client(), new Terminal(false, false, 0, false), "mgwait");
            assertThat(waiting.until("4711")).isZero();
            assertThat(waiting.until("4712")).isEqualTo(1);
        }
    }
}
