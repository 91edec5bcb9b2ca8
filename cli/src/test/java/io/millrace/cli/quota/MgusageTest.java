package io.millrace.cli.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.api.Json;
import io.millrace.cli.text.Terminal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MgusageTest {

    private static final String RUNS = """
        {"runs": [
          {"job": "alpha/7@2026-03-01T12:00:00Z", "run": 1, "attempt": "01KJMZ3Q00AAAAAAAAAAAAAAAA.2",
           "user": "anna", "project": "physics", "cluster": "alpha",
           "name": "solve", "cores": 4, "endedAt": "2026-03-01T13:00:00.123456Z", "coreSeconds": 7200, "outcome": "exited", "exitCodeOrSignal": 3},
          {"job": "beta/12[3]@2026-03-01T12:00:00Z", "run": 2, "user": "bob", "cluster": "beta",
           "name": "x", "cores": 1, "endedAt": "2026-03-01T14:00:00Z", "coreSeconds": 900, "outcome": "requeued"}]%s}\
        """;

    @Test
    void each_run_is_one_line_with_the_total_below() throws Exception {
        assertThat(Mgusage.lines(Json.read(RUNS.formatted("")), Terminal.of(Map.of())))
                .containsExactly(
                        "ENDED                 JOB                         CLUSTER  USER  PROJECT  NAME   CORES "
                                + " CORE-H  OUTCOME",
                        "2026-03-01T13:00:00Z  01KJMZ3Q00AAAAAAAAAAAAAAAA  alpha    anna  physics  solve      4   "
                                + " 2.00  exited 3",
                        "2026-03-01T14:00:00Z  beta/12[3]                  beta     bob   -        x          1   "
                                + " 0.25  requeued",
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

    private static final String MEASURED = """
        {"runs": [
          {"job": "alpha/7@2026-03-01T12:00:00Z", "user": "anna", "name": "solve", "cores": 4, "memoryMib": 4096,
           "coreSeconds": 14400, "used": {"cpuSeconds": 12960, "peakMemoryBytes": 1073741824}},
          {"job": "alpha/8@2026-03-01T12:00:00Z", "user": "anna", "name": "idle", "cores": 12, "memoryMib": 1024,
           "coreSeconds": 43200, "used": {"cpuSeconds": 432, "peakMemoryBytes": 1073741824}},
          {"job": "beta/9@2026-03-01T12:00:00Z", "user": "bob", "name": "gpu", "cores": 1, "memoryMib": 0,
           "coreSeconds": 3600, "used": {"peakMemoryBytes": 52428800}},
          {"job": "beta/10@2026-03-01T12:00:00Z", "user": "bob", "name": "old", "cores": 1, "coreSeconds": 3600}]}\
        """;

    private static List<String> efficiency(final EfficiencyTable.By by, final String page) throws Exception {
        final EfficiencyTable table = new EfficiencyTable(by);
        Json.read(page).path("runs").forEach(table::add);
        return table.lines(Terminal.of(Map.of()));
    }

    @Test
    void the_efficiency_of_each_job_compares_what_it_used_with_what_it_had() throws Exception {
        assertThat(efficiency(EfficiencyTable.By.job, MEASURED))
                .containsExactly(
                        "JOB      USER  NAME   RUNS  CORE-H  CPU  MEMORY  PEAK-MIB",
                        "alpha/7  anna  solve     1    4.00  90%     25%      1024",
                        "alpha/8  anna  idle      1   12.00   1%    100%      1024",
                        "beta/9   bob   gpu       1    0.00    -       -        50",
                        "3 of 4 runs were measured");
        assertThat(efficiency(EfficiencyTable.By.job, "{\"runs\": []}"))
                .containsExactly("no runs ended in this period");
    }

    @Test
    void the_efficiency_of_a_user_weights_runs_by_their_size() throws Exception {
        assertThat(efficiency(EfficiencyTable.By.user, MEASURED))
                .containsExactly(
                        "USER  RUNS  CORE-H  CPU  MEMORY  PEAK-MIB",
                        "anna     2   16.00  23%     40%      1024",
                        "bob      1    0.00    -       -        50",
                        "3 of 4 runs were measured");
    }
}
