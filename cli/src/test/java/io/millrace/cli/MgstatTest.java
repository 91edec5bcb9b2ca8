package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.text.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

@Timeout(600)
@Isolated("replaces System.out")
class MgstatTest {

    private static final String JOBS = """
        {"jobs":[
         {"number":"11","id":"01C","name":"late","state":"waiting","cores":1,"walltime":"PT1H","user":"anna"},
         {"number":"10","id":"01B","name":"wide","state":"waiting","cores":64,"walltime":"PT1H","user":"anna"},
         {"number":"9","id":"01A","name":"small","state":"waiting","cores":8,"walltime":"PT1H","user":"anna"}]}\
        """;

    @TempDir
    Path home;

    private String mgstat(final FakeApi api, final String... arguments) throws Exception {
        final Mgstat command = new Mgstat(new Terminal(false, false, 0, false));
        new CommandLine(command).parseArgs(arguments);
        return FakeApi.printed(() -> command.run(api.client()));
    }

    @Test
    void options_select_jobs_in_the_service() throws Exception {
        try (FakeApi api = new FakeApi(home).answer("/jobs", JOBS)) {
            mgstat(
                    api,
                    "-s",
                    "HELD,Failed",
                    "-J",
                    "a b",
                    "-c",
                    "beta",
                    "-A",
                    "physics",
                    "-u",
                    "anna",
                    "--from",
                    "2026-03-01T00:00Z");
            mgstat(api);
            mgstat(api, "--all");

            assertThat(api.requests())
                    .containsExactly(
                            "GET /jobs?limit=500&state=HELD&state=Failed&user=anna&name=a%20b&cluster=beta&project=physics"
                                    + "&from=2026-03-01T00%3A00%3A00Z&collapse=true",
                            "GET /jobs?limit=500&state=active&collapse=true", "GET /jobs?limit=500&collapse=true");
        }
    }

    @Test
    void the_table_has_the_requested_columns_in_the_requested_order() throws Exception {
        try (FakeApi api = new FakeApi(home).answer("/jobs", JOBS)) {
            assertThat(mgstat(api, "--format", "name,cores", "--sort", "-cores"))
                    .isEqualTo("NAME   CORES\nwide      64\nsmall      8\nlate       1\n");
            assertThat(mgstat(api, "-o", "id", "--noheader")).isEqualTo("9\n10\n11\n");
            assertThat(mgstat(api, "-o", "id", "--noheader", "--sort", "-id")).isEqualTo("11\n10\n9\n");
        }
    }

    @Test
    void without_a_job_to_explain_why_reports_it() throws Exception {
        final PrintStream before = System.err;
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try (FakeApi api = new FakeApi(home).answer("/jobs", "{\"jobs\":[]}")) {
            assertThat(mgstat(api, "--why")).isEmpty();
        } finally {
            System.setErr(before);
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("You have no unfinished jobs; use --all to include finished ones.\n");
    }

    @Test
    void an_unknown_column_is_a_usage_error() throws Exception {
        try (FakeApi api = new FakeApi(home).answer("/jobs", JOBS)) {
            assertThatThrownBy(() -> mgstat(api, "--sort=-size"))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("'size' is not a column")
                    .extracting(e -> ((CommandException) e).exitCode())
                    .isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void jobs_are_counted_by_the_service() throws Exception {
        try (FakeApi api =
                new FakeApi(home).answer("/jobs/counts", "{\"counts\":[{\"state\":\"waiting\",\"jobs\":1000000}]}")) {
            assertThat(mgstat(api, "--count", "-c", "beta")).isEqualTo("STATE       JOBS\nwaiting  1000000\n");
            assertThat(api.requests()).containsExactly("GET /jobs/counts?state=active&cluster=beta");
        }
    }

    @Test
    void a_job_in_the_queue_of_a_cluster_is_explained_by_the_id_that_its_cluster_gave_it() {
        assertThat(Mgstat.whyPath("pbs/4")).isEqualTo("/local-jobs/why?job=pbs%2F4");
        assertThat(Mgstat.whyPath("alpha/153_[1-9]@2026-03-01T12:00:01Z"))
                .isEqualTo("/local-jobs/why?job=alpha%2F153_%5B1-9%5D%402026-03-01T12%3A00%3A01Z");
        assertThat(Mgstat.whyPath("01KJMZ3Q")).isEqualTo("/jobs/01KJMZ3Q/why");
    }

    @Test
    void a_job_is_watched_by_its_id_on_the_cluster_until_it_has_finished() throws Exception {
        final String ended =
                "{\"number\":\"17\",\"id\":\"01A\",\"name\":\"mesh\",\"state\":\"stopped\",\"finished\":true,\"cluster\":\"alpha\"}";
        try (FakeApi api = new FakeApi(home)
                .answer(
                        "/jobs/alpha%2F153",
                        "{\"number\":\"17\",\"id\":\"01A\",\"name\":\"mesh\",\"state\":\"waiting\"}")
                .answer("/jobs/01A", "{\"number\":\"17\",\"id\":\"01A\",\"name\":\"mesh\",\"state\":\"waiting\"}")
                .answer(
                        "/events",
                        event("{\"number\":\"17\",\"id\":\"01B\",\"name\":\"other\",\"state\":\"waiting\"}")
                                + event(ended))) {
            assertThat(mgstat(api, "--watch", "alpha/153"))
                    .matches("\\S+ 17 mesh waiting\n\\S+ 17 mesh stopped alpha\n");
        }
    }

    @Test
    void a_job_that_finishes_before_the_stream_opens_ends_the_watch() throws Exception {
        final String job = "{\"number\":\"17\",\"id\":\"01A\",\"name\":\"mesh\",\"state\":\"waiting\"}";
        try (FakeApi api = new FakeApi(home)
                .answer("/jobs/01A", job)
                .afterwards("/jobs/01A", job.replace("}", ",\"finished\":true}"))
                .answer("/events", "")) {
            mgstat(api, "--watch", "--json", "01A");
            assertThat(api.requests()).containsExactly("GET /jobs/01A", "GET /events", "GET /jobs/01A");
        }
    }

    @Test
    void a_watch_refuses_options_that_it_would_ignore() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            assertThatThrownBy(() -> mgstat(api, "--watch", "-c", "alpha"))
                    .hasMessageContaining("omit the options that select jobs");
        }
    }

    private static String event(final String job) {
        return "event: job\nid: 1\ndata: {\"job\":" + job + "}\n\n";
    }

    @Test
    void a_batch_is_shown_as_the_number_of_its_jobs_in_each_state() throws Exception {
        final String id = "01JNFQ6M5T8W3KZX9B2C4D0000";
        try (FakeApi api = new FakeApi(home).answer("/jobs", JOBS).answer("/jobs/4711", """
            {"id":"%s","number":"4711","name":"sweep","user":"anna","jobs":1000,"finished":false,"counts":[
             {"state":"succeeded","jobs":600},{"state":"failed","jobs":1},
             {"state":"running","jobs":99},{"state":"waiting","jobs":300}]}\
            """.formatted(id))) {
            assertThat(mgstat(api, "4711")).isEqualTo("""
                4711 sweep anna: 1000 jobs
                STATE      JOBS
                succeeded   600
                failed        1
                running      99
                waiting     300
                """);
            mgstat(api, "--batch", "4711", "-s", "failed");
            assertThat(api.requests()).containsExactly("GET /jobs/4711", "GET /jobs?limit=500&state=failed&batch=4711");
        }
    }
}
