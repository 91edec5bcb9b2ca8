package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(BerlinTime.class)
@Isolated("replaces the time zone")
class JobTableTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);
    private static final Instant NOW = Instant.parse("2026-03-01T13:30:00Z");

    private static JsonNode job(final String fields) throws IOException {
        return Json.read(
                "{\"id\":\"01A\",\"number\":\"4711_4\",\"batch\":\"01B\",\"index\":4,\"name\":\"mesh\",\"user\":\"anna\",\"cores\":8,\"walltime\":\"PT2H\","
                        + "\"submittedAt\":\"2026-03-01T11:00:00.123Z\",\"preemptions\":0," + fields + "}");
    }

    private static String row(final String columns, final JsonNode job) {
        final List<JobColumn> named = new ArrayList<>();
        for (final String name : columns.split(",")) {
            named.add(JobColumn.of(name));
        }
        return JobTable.table(named, List.of(job), NOW)
                .lines(PIPE)
                .get(1)
                .strip()
                .replaceAll(" +", " ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"state\":\"waiting\" | waiting",
                "\"state\":\"uploading\" | uploading",
                "\"state\":\"uploading\",\"transfer\":{\"state\":\"planned\"} | uploading",
                "\"state\":\"uploading\",\"transfer\":{\"state\":\"copying\",\"percent\":43} | uploading 43%",
                "\"state\":\"downloading\",\"transfer\":{\"state\":\"held\"} | downloading (held)",
                "\"state\":\"out-of-memory\" | out-of-memory"
            })
    void one_word_says_whether_a_job_waits_is_held_runs_or_succeeded(final String fields, final String word)
            throws IOException {
        assertThat(JobTable.state(job(fields))).isEqualTo(word);
    }

    @Test
    void a_running_job_shows_its_start_the_elapsed_time_and_the_time_left() throws IOException {
        final JsonNode running = job("\"state\":\"running\",\"startedAt\":\"2026-03-01T12:00:00.5Z\"");

        assertThat(row("id,batch,index,ulid,start,elapsed,left,exit", running))
                .isEqualTo("4711_4 4711 4 01A 2026-03-01T13:00:00 01:29:59 00:30:00 -");
    }

    @Test
    void a_waiting_job_shows_its_predicted_start() throws IOException {
        final JsonNode waiting = job("\"state\":\"waiting\",\"predictedStart\":\"2026-03-01T14:00:00Z\"");

        assertThat(row("start,elapsed,left", waiting)).isEqualTo("~2026-03-01T15:00:00 - -");
    }

    @Test
    void an_ended_job_shows_its_last_run_and_no_time_left() throws IOException {
        final JsonNode ended = job("\"state\":\"failed\",\"startedAt\":\"2026-03-01T12:00:00Z\","
                + "\"endedAt\":\"2026-03-01T12:45:10Z\",\"outcome\":{\"kind\":\"exited\",\"exitCode\":3}");

        assertThat(row("state,end,elapsed,left,exit", ended)).isEqualTo("failed 2026-03-01T13:45:10 00:45:10 - 3");
    }

    @Test
    void durations_and_numbers_are_ordered_by_value() throws IOException {
        final JsonNode small = job("\"state\":\"waiting\",\"walltime\":\"PT10H\",\"nodes\":9");
        final JsonNode large = job("\"state\":\"waiting\",\"walltime\":\"P2D\",\"nodes\":10");

        assertThat(JobColumn.of("Walltime").order(NOW).compare(small, large)).isNegative();
        assertThat(JobColumn.of("nodes").order(NOW).compare(small, large)).isNegative();
        assertThat(JobColumn.of("name").order(NOW).compare(small, large)).isZero();
    }

    @Test
    void an_unknown_column_is_refused_with_the_known_ones() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobColumn.of("nam"))
                .withMessageContaining("'nam'")
                .withMessageContaining("localid, partition");
    }

    @Test
    void a_batch_is_one_line_with_its_jobs_in_each_state() throws IOException {
        final String counts =
                "\"counts\":[{\"state\":\"running\",\"jobs\":50}," + "{\"state\":\"waiting\",\"jobs\":1950}]";
        final String batch =
                "{\"number\":\"4711\",\"state\":\"waiting\",\"tasks\":{\"first\":1,\"last\":%d,\"jobs\":2000,"
                        + "\"maxConcurrent\":50," + counts + "}}";

        assertThat(row("id,state", Json.read(batch.formatted(2000))))
                .isEqualTo("4711_[1-2000%50] running 50, waiting 1950");
        assertThat(row("id,state", Json.read(batch.formatted(2001)))).startsWith("4711_[...%50] ");
    }

    @Test
    void a_narrow_table_has_short_times_and_reasons() throws IOException {
        final JsonNode today = job("\"state\":\"queued\",\"cluster\":\"alpha\","
                + "\"predictedStart\":\"2026-03-01T14:00:00Z\",\"obstacle\":\"no-idle-cores\"");
        final JsonNode tomorrow = job("\"state\":\"waiting\",\"predictedStart\":\"2026-03-02T14:00:00Z\","
                + "\"obstacle\":\"held-by-quota\"");
        final List<String> lines =
                JobTable.table(JobColumn.NARROW, List.of(today, tomorrow), NOW).lines(PIPE);

        assertThat(lines)
                .containsExactly(
                        "ID      NAME  STATE    CLUSTER  CORES  START         LEFT  REASON",
                        "4711_4  mesh  queued   alpha        8  ~15:00:00        -  no idle cores",
                        "4711_4  mesh  waiting  -            8  ~03-02T15:00     -  held by quota");
    }
}
