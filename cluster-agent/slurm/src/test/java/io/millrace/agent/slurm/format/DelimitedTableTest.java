package io.millrace.agent.slurm.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DelimitedTableTest {

    private static final String NONCE = "0123456789abcdef";

    @Test
    void equal_cells_below_each_other_share_one_string() {
        final List<List<String>> rows = DelimitedTable.rows(table("1", "main", "2", "main", "3", "mail"), 2, NONCE);

        assertThat(rows).containsExactly(List.of("1", "main"), List.of("2", "main"), List.of("3", "mail"));
        assertThat(rows.get(1).get(1)).isSameAs(rows.get(0).get(1));
    }

    @Test
    void a_cell_that_begins_like_the_one_above_is_read_in_full() {
        final List<List<String>> rows = DelimitedTable.rows(table("a", "main", "a", "main-long", "", "m"), 2, NONCE);

        assertThat(rows).containsExactly(List.of("a", "main"), List.of("a", "main-long"), List.of("", "m"));
    }

    private static String table(final String... cells) {
        final StringBuilder text = new StringBuilder();
        for (int at = 0; at < cells.length; at++) {
            text.append(cells[at]).append(DelimitedTable.delimiter(NONCE)).append(at % 2 == 1 ? "\n" : "");
        }
        return text.toString();
    }
}
