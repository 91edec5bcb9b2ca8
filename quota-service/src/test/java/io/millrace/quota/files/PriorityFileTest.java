package io.millrace.quota.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PriorityFileTest {

    @TempDir
    private Path folder;

    @Test
    void reads_weights_durations_and_factors() throws IOException {
        final PriorityRules rules = PriorityFile.read(file("""
                priority:
                  weights: {age: 1000, size: -200, use: 5000}
                  half-life: 14d
                  classes: {wide: 100}
                  urgencies:
                    urgent: 100
                  projects: {physics: 80}
                """));

        assertThat(rules)
                .isEqualTo(new PriorityRules(
                        Map.of(PriorityTerm.AGE, 1000, PriorityTerm.SIZE, -200, PriorityTerm.USE, 5000),
                        Duration.ofDays(7),
                        Duration.ofDays(14),
                        Map.of("wide", 100),
                        Map.of("urgent", 100),
                        Map.of(ProjectName.of("physics"), 80),
                        null));
        assertThat(PriorityFile.read(file(""))).isEqualTo(PriorityRules.NONE);
    }

    @Test
    void reads_the_partitions_that_a_priority_opens() throws IOException {
        final PriorityRules rules = PriorityFile.read(file("""
                priority:
                  overflow:
                    - {cluster: alpha, from: main, at: 5000, to: [fast, span]}
                    - at: 1000000
                      to: [idle]
                """));

        assertThat(rules.overflowRules())
                .containsExactly(
                        new PartitionOverflow(
                                ClusterId.of("alpha"),
                                PartitionName.of("main"),
                                5000,
                                List.of(PartitionName.of("fast"), PartitionName.of("span"))),
                        new PartitionOverflow(null, null, 1_000_000, List.of(PartitionName.of("idle"))));
    }

    @Test
    void an_error_of_overflow_names_line_and_column() throws IOException {
        assertWrong("priority:\n  overflow: {at: 5}\n", "line 2, column 13: expected a list");
        assertWrong("priority:\n  overflow: [{to: [fast]}]\n", "line 2, column 14: 'at' is missing: add it");
        assertWrong(
                "priority:\n  overflow: [{at: high, to: [fast]}]\n", "line 2, column 19: 'high' is not a whole number");
        assertWrong(
                "priority:\n  overflow: [{at: 5}]\n", "line 2, column 14: 'to' must name 1 to 20 partitions, got 0");
        assertWrong("priority:\n  overflow: [{at: 5, to: fast}]\n", "line 2, column 26: expected a list: [ … ]");
        assertWrong(
                "priority:\n  overflow: [{at: 5, to: ['a b']}]\n", "line 2, column 27: 'a b' is not a valid partition");
        assertWrong(
                "priority:\n  overflow: [{at: 5, form: main}]\n",
                "line 2, column 22: 'form' is not a known key; expected cluster, from, at, to");
        assertWrong("priority:\n  overflow: [{at: 5, at: 6}]\n", "line 2, column 22: duplicate key 'at'");
        assertWrong(
                "priority:\n  overflow: [5]\n",
                "line 2, column 14: expected a mapping with the keys cluster, from, at, to");
        assertWrong(
                "priority:\n  overflow: [{from: fast, at: 5, to: [fast]}]\n",
                "line 2, column 14: 'to' names 'fast', where the job waits already");
    }

    @Test
    void an_error_names_line_and_column() throws IOException {
        assertWrong(
                "priority:\n  weights: {luck: 5}\n",
                "line 2, column 13: 'luck' is not a term of priority: use one of [age, size, use, class, urgency, project, budget]");
        assertWrong("priority:\n  weights: {right: 5}\n", "line 2, column 13: 'right' is not a term of priority");
        assertWrong("priority:\n  weights:\n    age: much\n", "line 3, column 10: 'much' is not a whole number");
        assertWrong("priority:\n  weights: {age: 1, age: 2}\n", "line 2, column 21: duplicate key 'age'");
        assertWrong("priority:\n  max-age: long\n", "line 2, column 12: 'long' is not a valid duration");
        assertWrong(
                "priority:\n  weight: {}\n",
                "line 2, column 3: 'weight' is not a known key; expected weights, max-age");
        assertWrong("priority: 5\n", "line 1, column 11: expected a mapping with the keys weights");
        assertWrong("priority:\n  weights: {age: 1000000}\n", "the weights together must stay below 1000000");
        assertWrong("priority: [\n", "line 2, column 1");
    }

    private void assertWrong(final String text, final String message) throws IOException {
        final Path file = file(text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriorityFile.read(file))
                .withMessageContaining(message);
    }

    private Path file(final String text) throws IOException {
        return Files.writeString(folder.resolve("priority.yaml"), text);
    }
}
