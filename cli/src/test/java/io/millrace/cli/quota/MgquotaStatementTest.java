package io.millrace.cli.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.text.Terminal;
import org.junit.jupiter.api.Test;

class MgquotaStatementTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    @Test
    void sums_are_shown_in_hours_with_the_total_below() throws Exception {
        final String statement = """
                {"period": "2026-11", "closed": true, "cost": {"coreSeconds": 5400, "gpuSeconds": 360}, "sums": [
                  {"user": "anna", "project": "", "cluster": "alpha", "runs": 2,
                   "charged": {"coreSeconds": 7200, "gpuSeconds": 360}, "refunded": {"coreSeconds": 1800, "gpuSeconds": 0}}]}""";

        assertThat(MgquotaStatement.lines(new ObjectMapper().readTree(statement), PIPE))
                .containsExactly(
                        "USER  PROJECT  CLUSTER  RUNS  CORE-H  REFUNDED  GPU-H",
                        "anna  -        alpha       2     2.0       0.5    0.1",
                        "2026-11: 1.5 core-hours, 0.1 GPU-hours. Total after refunds; period closed.");
    }

    @Test
    void a_period_without_runs_has_only_a_total_of_0() throws Exception {
        assertThat(MgquotaStatement.lines(
                        new ObjectMapper().readTree("{\"period\": \"2026\", \"cost\": {}, \"sums\": []}"), PIPE))
                .containsExactly("2026: 0.0 core-hours, 0.0 GPU-hours. Total after refunds; period not closed yet.");
    }
}
