package io.millrace.cli.priority;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.Terminal;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PriorityTextTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);
    private static final String TERMS = """
        "priority": 1000200, "terms": [
          {"term": "entitlement", "factorPercent": 100, "weight": 1000000, "points": 1000000},
          {"term": "age", "factorPercent": 25, "weight": 1000, "points": 250},
          {"term": "size", "factorPercent": 25, "weight": -200, "points": -50},
          {"term": "use", "factorPercent": 100, "weight": 0, "points": 0}]\
        """;
    private static final String JOB = """
        {"rank": 1, "number": "4711", "cluster": "alpha", "id": "17", "name": "flow", "user": "anna",
         "previewPriority": 1000000, "previewRank": 3, %s}\
        """.formatted(TERMS);

    private static JsonNode json(final String text) throws IOException {
        return Json.read(text);
    }

    @Test
    void each_term_has_a_column_and_a_missing_term_is_0() throws IOException {
        assertThat(PriorityText.table(json("[" + JOB + "]"), false).lines(PIPE))
                .containsExactly(
                        "RANK  JOB   LOCALID   NAME  USER  PRIORITY  ENTITLEMENT  AGE  SIZE  USE  CLASS  URGENCY "
                                + " PROJECT  BUDGET",
                        "   1  4711  alpha/17  flow  anna   1000200      1000000  250   -50    0      0        0      "
                                + "  0       0");
        assertThat(PriorityText.table(json("[" + JOB + "]"), true).lines(PIPE).getLast())
                .endsWith("1000200         100%  25%   25%  100%     0%       0%       0%      0%");
    }

    @Test
    void a_change_shows_old_and_new_priority_and_rank() throws IOException {
        assertThat(PriorityText.changes(json("[" + JOB + "]")).lines(PIPE))
                .containsExactly(
                        "RANK  JOB   LOCALID   NAME  USER  PRIORITY  NEW-PRIORITY  NEW-RANK",
                        "   1  4711  alpha/17  flow  anna   1000200       1000000         3");
    }

    @Test
    void other_partitions_have_a_column_only_if_a_job_can_reach_one() throws IOException {
        final String withOverflow =
                JOB.replace("\"rank\": 1,", "\"rank\": 1, \"otherPartitions\": [\"fast\", \"span\"],");

        assertThat(PriorityText.table(json("[" + withOverflow + "," + JOB + "]"), false)
                        .lines(PIPE))
                .satisfiesExactly(
                        heading -> assertThat(heading).endsWith("BUDGET  OVERFLOW"),
                        one -> assertThat(one).endsWith("0  fast,span"),
                        other -> assertThat(other).endsWith("0  -"));
        final String closing =
                withOverflow.replace("\"previewRank\"", "\"previewPartitions\": [\"span\"], \"previewRank\"");
        assertThat(PriorityText.changes(json("[" + closing + "]")).lines(PIPE))
                .containsExactly(
                        "RANK  JOB   LOCALID   NAME  USER  PRIORITY  NEW-PRIORITY  NEW-RANK  OVERFLOW   NEW-OVERFLOW",
                        "   1  4711  alpha/17  flow  anna   1000200       1000000         3  fast,span  span");
    }

    @Test
    void the_sum_lists_all_terms_with_a_weight() throws IOException {
        assertThat(PriorityText.sum(json("{" + TERMS + "}")))
                .isEqualTo("1000200 = entitlement 1000000 x 100% + age 1000 x 25% + size -200 x 25%");
        assertThat(PriorityText.sum(json("{\"priority\": 0}"))).isEqualTo("0");
    }

    @Test
    void the_rules_show_author_and_reason() throws IOException {
        assertThat(PriorityText.rules(json("""
            {"version": 2, "author": "olga", "changedAt": "2026-03-01T00:00:00Z", "reason": "long waits",
             "weights": {"age": 1000}, "maxAge": "PT168H", "halfLife": "PT336H",
             "classFactorsPercent": {"wide": 100}}\
            """)))
                .containsExactly(
                        "version 2 by olga at 2026-03-01T00:00:00Z: long waits",
                        "  age 1000",
                        "  maximum age 7d00h, half-life 14d00h",
                        "  class wide 100%");
    }
}
