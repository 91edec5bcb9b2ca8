package io.millrace.cli.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.api.Json;
import io.millrace.cli.text.Terminal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MgusageTest {

    private static final String RUNS = """
            {"runs": [
              {"job": "alpha/7@2026-03-01T12:00:00Z", "run": 1, "attempt": "01KJMZ3Q00AAAAAAAAAAAAAAAA.2",
               "user": "anna", "project": "physics", "cluster": "alpha",
               "name": "solve", "cores": 4, "endedAt": "2026-03-01T13:00:00.123456Z", "coreSeconds": 7200, "outcome": "exited", "exitCodeOrSignal": 3},
              {"job": "beta/12[3]@2026-03-01T12:00:00Z", "run": 2, "user": "bob", "cluster": "beta",
               "name": "x", "cores": 1, "endedAt": "2026-03-01T14:00:00Z", "coreSeconds": 900, "outcome": "requeued"}]%s}""";

    @Test
    void each_run_is_one_line_with_the_total_below() throws Exception {
        assertThat(Mgusage.lines(Json.read(RUNS.formatted("")), Terminal.of(Map.of())))
                .containsExactly(
                        "ENDED                 JOB                         CLUSTER  USER  PROJECT  NAME   CORES  CORE-H  OUTCOME",
                        "2026-03-01T13:00:00Z  01KJMZ3Q00AAAAAAAAAAAAAAAA  alpha    anna  physics  solve      4    2.00  exited 3",
                        "2026-03-01T14:00:00Z  beta/12[3]                  beta     bob   -        x          1    0.25  requeued",
                        "2 runs, 2.25 core-hours");
    }

    @Test
    void an_incomplete_table_ends_with_a_hint() throws Exception {
        assertThat(Mgusage.lines(Json.read(RUNS.formatted(", \"next\": \"x\"")), Terminal.of(Map.of()))
                        .getLast())
                .contains("more runs exist")
                .contains("--format csv");
    }

    @Test
    void a_period_without_runs_has_a_message() throws Exception {
        assertThat(Mgusage.lines(Json.read("{\"runs\": []}"), Terminal.of(Map.of())))
                .containsExactly("no runs ended in this period");
    }
}
