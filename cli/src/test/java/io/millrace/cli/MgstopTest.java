package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.text.Terminal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(600)
@Isolated("replaces System.in")
class MgstopTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);
    private static final Terminal TERMINAL = new Terminal(true, true, 80, false);

    @TempDir
    Path home;

    private FakeApi api;
    private final InputStream input = System.in;

    @BeforeEach
    void twoJobs() throws Exception {
        api = new FakeApi(home)
                .answer("/jobs", "{\"jobs\":[{\"id\":\"01B\"},{\"id\":\"01A\"}]}")
                .answer("/jobs/01A/stop", "{}")
                .answer("/jobs/01B/stop", "{}")
                .answer("/jobs/alpha%2F153/stop", "{}");
    }

    @AfterEach
    void close() {
        api.close();
        System.setIn(input);
    }

    private int mgstop(final Terminal terminal, final String typed, final String... arguments) throws Exception {
        System.setIn(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
        final Mgstop command = new Mgstop(terminal);
        new CommandLine(command).parseArgs(arguments);
        return command.run(api.client());
    }

    private void isRefused(final int exit, final String message, final Terminal terminal, final String... arguments) {
        assertThatThrownBy(() -> mgstop(terminal, "", arguments))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message)
                .extracting(e -> ((CommandException) e).exitCode())
                .isEqualTo(exit);
        assertThat(api.requests()).noneMatch(request -> request.startsWith("POST"));
    }

    @Test
    void named_jobs_are_stopped_without_a_question_and_the_first_failure_is_the_exit_code() throws Exception {
        assertThat(mgstop(PIPE, "", "-r", "wrong input", "01Z", "alpha/153", "01A"))
                .isEqualTo(ExitCode.NOT_FOUND);
        assertThat(api.requests())
                .containsExactly(
                        "POST /jobs/01Z/stop {\"reason\":\"wrong input\"}",
                        "POST /jobs/alpha%2F153/stop {\"reason\":\"wrong input\"}",
                        "POST /jobs/01A/stop {\"reason\":\"wrong input\"}");
    }

    @Test
    void ids_are_read_from_standard_input() throws Exception {
        assertThat(mgstop(PIPE, "01A\n01B\n", "-")).isZero();
        assertThat(api.requests()).containsExactly("POST /jobs/01A/stop {}", "POST /jobs/01B/stop {}");
    }

    @Test
    void many_jobs_are_stopped_at_once_and_each_failure_is_reported() throws Exception {
        final StringBuilder ids = new StringBuilder("01A 01B");
        for (int i = 0; i < 30; i++) {
            api.answer("/jobs/02" + i + "/stop", "{}");
            ids.append(" 02").append(i);
        }

        assertThat(mgstop(PIPE, ids + " 01Z", "-")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(api.requests()).hasSize(33).doesNotHaveDuplicates();
        assertThat(mgstop(PIPE, ids.toString(), "-")).isZero();
    }

    @Test
    void selected_jobs_are_stopped_after_a_confirmation() throws Exception {
        assertThat(mgstop(TERMINAL, "y\n", "-s", "queued", "-u", "anna", "-J", "mesh"))
                .isZero();
        assertThat(api.requests())
                .containsExactly(
                        "GET /jobs?limit=500&state=queued&user=anna&name=mesh",
                        "POST /jobs/01A/stop {}",
                        "POST /jobs/01B/stop {}");
    }

    @Test
    void without_a_confirmation_nothing_is_stopped() {
        isRefused(ExitCode.FAILED, "not confirmed", TERMINAL, "--all");
        isRefused(ExitCode.USAGE, "refusing to stop 2 jobs without a confirmation; add --yes", PIPE, "--all");
    }

    @Test
    void yes_replaces_the_confirmation() throws Exception {
        assertThat(mgstop(PIPE, "", "--all", "--yes")).isZero();
        assertThat(api.requests())
                .containsExactly(
                        "GET /jobs?limit=500&state=active", "POST /jobs/01A/stop {}", "POST /jobs/01B/stop {}");
    }

    @Test
    void a_selected_job_that_has_ended_meanwhile_is_no_failure() throws Exception {
        api.refuse("/jobs/01A/stop", 409, "job 01A ended").answer("/jobs/01A", "{\"finished\":true}");
        assertThat(mgstop(PIPE, "", "--all", "--yes")).isZero();
        assertThat(mgstop(PIPE, "", "01A")).isEqualTo(ExitCode.FAILED);

        api.answer("/jobs/01A", "{\"finished\":false}");
        assertThat(mgstop(PIPE, "", "--all", "--yes")).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void a_command_line_without_jobs_or_with_two_ways_to_name_them_is_refused() {
        isRefused(ExitCode.USAGE, "no jobs given", TERMINAL);
        isRefused(ExitCode.USAGE, "cannot be combined", TERMINAL, "--all", "01A");
        api.answer("/jobs", "{\"jobs\":[]}");
        isRefused(ExitCode.NOT_FOUND, "no unfinished jobs match", TERMINAL, "--all");
    }

    @Test
    void a_batch_is_stopped_with_one_request() throws Exception {
        api.redirect("/jobs/4711/stop", "/batches/01JNFQ6M5T8W3KZX9B2C4D0000/stop")
                .answer("/batches/01JNFQ6M5T8W3KZX9B2C4D0000/stop", "{\"requested\":1000}");
        assertThat(mgstop(PIPE, "", "4711", "-r", "wrong")).isEqualTo(ExitCode.OK);
        assertThat(api.requests())
                .containsExactly(
                        "POST /jobs/4711/stop {\"reason\":\"wrong\"}",
                        "POST /batches/01JNFQ6M5T8W3KZX9B2C4D0000/stop {\"reason\":\"wrong\"}");
    }

    @Test
    void tasks_of_a_batch_are_named_by_ranges() throws Exception {
        for (final int task : List.of(3, 4, 9)) {
            api.answer("/jobs/4711_" + task + "/stop", "{}");
        }
        assertThat(mgstop(PIPE, "", "4711_[3-4,9]")).isEqualTo(ExitCode.OK);
        assertThat(api.requests())
                .containsExactly("POST /jobs/4711_3/stop {}", "POST /jobs/4711_4/stop {}", "POST /jobs/4711_9/stop {}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4711_[]", "4711_[5-3]", "4711_[a]", "4711_[1-]", "4711_[0-10000]", "4711_[1,,2]"})
    void a_range_that_cannot_be_read_stops_nothing(final String range) {
        isRefused(ExitCode.USAGE, range, PIPE, "4710", range);
    }
}
