package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    private static Table table(final String... names) {
        final Table table = new Table(List.of(
                new Table.Column("NAME", false, true),
                new Table.Column("CORES", true, false),
                new Table.Column("STATE", false, false)));
        for (final String name : names) {
            table.row(List.of(new Table.Cell(name), new Table.Cell("8"), new Table.Cell("End", Terminal.Colour.GREEN)));
        }
        return table;
    }

    private static Terminal wide(final int columns) {
        return new Terminal(true, true, columns, false);
    }

    @Test
    void columns_are_as_wide_as_their_widest_cell() {
        assertThat(table("a", "longer name").lines(PIPE))
                .containsExactly("NAME         CORES  STATE", "a                8  End", "longer name      8  End");
    }

    @Test
    void names_in_any_script_are_aligned() {
        final List<String> lines = table("作业三", "Länge", "e\u0301tat", "🚀 job").lines(PIPE);

        assertThat(lines.stream()
                        .map(line -> TerminalText.width(line.substring(
                                0, line.lastIndexOf('8') < 0 ? line.indexOf("CORES") + 4 : line.lastIndexOf('8')))))
                .containsOnly(12);
    }

    @Test
    void on_a_narrow_terminal_a_column_shrinks_so_that_each_row_fits() {
        assertThat(table("a name that is much too long for this").lines(wide(30)))
                .allSatisfy(line -> assertThat(TerminalText.width(line)).isLessThanOrEqualTo(30))
                .anySatisfy(line -> assertThat(line).contains("…").contains("8  End"));
    }

    @Test
    void in_a_pipe_text_is_neither_cut_nor_coloured() {
        assertThat(table("x".repeat(300)).lines(PIPE).get(1))
                .contains("x".repeat(300))
                .doesNotContain("\u001b");
    }

    @Test
    void on_a_terminal_states_are_coloured() {
        assertThat(Printer.line(
                        table("a").lines(new Terminal(true, true, 80, true)).get(1)))
                .contains("\u001b[32mEnd\u001b[0m");
    }

    @Test
    void a_name_cannot_move_the_cursor() {
        assertThat(table("evil\u001b[2J\r\nname").lines(PIPE).get(1)).startsWith("evil\\u001b[2J\\u000d\\u000aname");
    }

    @Test
    void a_wide_character_that_does_not_fit_is_omitted() {
        assertThat(TerminalText.fit("作业", 4, false)).isEqualTo("作业");
        assertThat(TerminalText.fit("作业三", 4, false)).isEqualTo("作… ");
        assertThat(TerminalText.fit("ab", 4, true)).isEqualTo("  ab");
    }
}
