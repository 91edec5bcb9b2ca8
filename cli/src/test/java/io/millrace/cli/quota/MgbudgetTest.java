package io.millrace.cli.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.Terminal;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MgbudgetTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    private static final String BUDGET = """
        {"holder": "anna", "version": 2, "isDefault": false, "limitCoreHours": 60.0, "appliedLimitCoreHours": 60.0,
         "requestedCoreHours": 12.5, "budgets": [
          {"period": "month", "label": "2026-11", "endsAt": "2026-12-01T00:00:00Z", "coreHours": 100.0,
           "refill": "daily", "carryOver": 10, "exhausted": "hold", "cancelRunning": false,
           "available": {"coreHours": 110.0}, "spent": {"coreHours": 60.5}, "reserved": {"coreHours": 15.0},
           "left": {"coreHours": 34.5}}]}\
        """;

    @Test
    void quota_budget_and_limit_have_a_line_each_with_what_is_left() throws Exception {
        assertThat(Mgbudget.lines(
                                json("{\"budgets\": [" + BUDGET + "]}"),
                                json("{\"quotas\": [{\"cluster\": \"alpha\", \"holder\": \"anna\", \"cores\": 16,"
                                        + " \"usage\": {\"guaranteedCores\": 12}}]}"),
                                PIPE)
                        .stream()
                        .map(line -> line.replaceAll(" +", " ").replaceFirst("2026-1[12]-[^ ]+( [0-9:]+)?$", "END")))
                .containsExactly(
                        "HOLDER WHAT UNIT AVAILABLE USED RESERVED LEFT UNTIL",
                        "anna quota alpha cores 16 12 - 4 -",
                        "anna budget 2026-11 core-hours 110 60.5 15 34.5 END",
                        "anna limit at a time core-hours 60 - 12.5 47.5 -");
        assertThat(Mgbudget.lines(json("{}"), json("{}"), PIPE)).containsExactly("no quotas, budgets or limits");
    }

    @Test
    void what_is_not_given_stays_and_a_dash_removes() throws Exception {
        final MgbudgetSet set = new MgbudgetSet();
        set.week = "5/2.5";
        set.exhausted = "borrow";
        assertThat(set.body(json(BUDGET))).isEqualTo(json("""
            {"budgets": [
              {"period": "month", "coreHours": 100.0, "refill": "daily", "carryOver": 10, "exhausted": "hold",
               "cancelRunning": false},
              {"period": "week", "coreHours": 5.0, "gpuHours": 2.5, "exhausted": "borrow"}],
             "limitCoreHours": 60.0}\
            """));

        final MgbudgetSet removal = new MgbudgetSet();
        removal.month = "-";
        removal.limit = "-";
        removal.reason = "over";
        assertThat(removal.body(json(BUDGET))).isEqualTo(json("{\"reason\": \"over\", \"budgets\": []}"));
    }

    private static JsonNode json(final String text) throws IOException {
        return Json.read(text);
    }
}
