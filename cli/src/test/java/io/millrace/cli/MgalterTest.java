package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class MgalterTest {

    @TempDir
    Path home;

    private static int mgalter(final FakeApi api, final String... arguments) throws Exception {
        final Mgalter command = new Mgalter();
        new CommandLine(command).parseArgs(arguments);
        return command.run(api.client());
    }

    @Test
    void only_the_given_properties_are_changed_and_the_first_failure_is_the_exit_code() throws Exception {
        try (FakeApi api = new FakeApi(home).answer("/jobs/01A/alter", "{}")) {
            assertThat(mgalter(api, "-t", "1:30:00", "-n", "8", "--priority", "-5", "01Z", "01A"))
                    .isEqualTo(ExitCode.NOT_FOUND);
            assertThat(api.requests())
                    .containsExactly(
                            "POST /jobs/01Z/alter {\"walltime\":\"1:30:00\",\"cores\":8,\"priority\":-5}",
                            "POST /jobs/01A/alter {\"walltime\":\"1:30:00\",\"cores\":8,\"priority\":-5}");
        }
    }

    @Test
    void the_jobs_of_a_batch_are_changed_with_one_request_and_refusals_are_an_error() throws Exception {
        final String batch = "01JNFQ6M5T8W3KZX9B2C4D0000";
        try (FakeApi api = new FakeApi(home)
                .redirect("/jobs/4711/alter", "/batches/" + batch + "/alter")
                .answer(
                        "/batches/" + batch + "/alter",
                        "{\"id\": \"" + batch + "\", \"requested\": 2, \"refused\": 0, \"reasons\": []}")) {
            assertThat(mgalter(api, "-n", "8", "4711")).isEqualTo(ExitCode.OK);
            assertThat(api.requests())
                    .containsExactly(
                            "POST /jobs/4711/alter {\"cores\":8}", "POST /batches/" + batch + "/alter {\"cores\":8}");
        }
        try (FakeApi api = new FakeApi(home)
                .redirect("/jobs/4711/alter", "/batches/" + batch + "/alter")
                .answer(
                        "/batches/" + batch + "/alter",
                        "{\"id\": \"" + batch
                                + "\", \"requested\": 2, \"refused\": 1, \"reasons\": [{\"reason\": \"job 1 runs\","
                                + " \"jobs\": 1}]}")) {
            assertThat(mgalter(api, "-n", "8", "4711")).isEqualTo(ExitCode.FAILED);
        }
    }

    @Test
    void a_command_without_a_change_is_refused() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            assertThatThrownBy(() -> mgalter(api, "01A"))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("nothing to change");
            assertThat(api.requests()).isEmpty();
        }
    }
}
