package io.millrace.quota.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.command.Preemption.Mode;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreemptionFileTest {

    @TempDir
    Path folder;

    private PreemptionFile.Rules read(final String text) throws IOException {
        return PreemptionFile.read(Files.writeString(folder.resolve("preemption.yaml"), text));
    }

    private void refused(final String text, final String where, final String why) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(where)
                .hasMessageContaining(why);
    }

    @Test
    void reads_modes_and_the_table_of_delays_in_order() throws IOException {
        final PreemptionFile.Rules rules = read("""
                preemption:
                  modes: [suspend, checkpoint]
                  restart-cost: 5m
                  delays:
                    - {urgency: urgent, delay: 0s}
                    - {class: long, cores: 1000-, delay: 30m, per-core: 1s, longest: 2h}
                    - {cores: 64-128, waited: 90m, delay: 2m}
                """);

        assertThat(rules.modes())
                .isEqualTo(new PreemptModePolicy(List.of(Mode.SUSPEND, Mode.CHECKPOINT), Duration.ofMinutes(5)));
        assertThat(rules.delays()).hasSize(3);
        assertThat(rules.delays().get(1))
                .isEqualTo(new ReclaimDelay(
                        1000,
                        Integer.MAX_VALUE,
                        Duration.ZERO,
                        "long",
                        null,
                        Duration.ofMinutes(30),
                        Duration.ofSeconds(1),
                        Duration.ofHours(2)));
        assertThat(rules.delays().get(2).coresTo()).isEqualTo(128);
    }

    @Test
    void keys_that_are_not_set_have_their_defaults() throws IOException {
        assertThat(read("")).isEqualTo(PreemptionFile.Rules.DEFAULT);
        assertThat(read("preemption:\n")).isEqualTo(PreemptionFile.Rules.DEFAULT);
    }

    @Test
    void an_error_names_line_column_and_remedy() {
        refused(
                "preemption:\n  mode: [requeue]\n",
                "line 2, column 3",
                "'mode' is not a known key; expected modes, restart-cost, delays");
        refused("preemption:\n  modes: [kill]\n", "line 2, column 11", "'kill' is not one of");
        refused("preemption:\n  modes: [requeue, requeue]\n", "line 2", "listed twice");
        refused("preemption:\n  modes: []\n", "line 2", "at least one");
        refused("preemption:\n  delays:\n    - {cores: 8-}\n", "line 3, column 7", "'delay' is missing: add it");
        refused("preemption:\n  delays:\n    - {cores: 8-4, delay: 1m}\n", "line 3, column 15", "'8-4' is empty");
        refused(
                "preemption:\n  delays:\n    - {cores: -4, delay: 1m}\n",
                "line 3, column 15",
                "not a valid range of cores");
        refused("preemption:\n  delays:\n    - {delay: -1m}\n", "line 3, column 15", "not a valid duration");
        refused("preemption:\n  delays:\n    - {delay: 1m, delay: 2m}\n", "line 3, column 19", "duplicate key");
        refused("preemption: {}\npreemption: {}\n", "line 2, column 1", "duplicate key");
    }
}
