package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {

    private static final String[] PIECES = {
        "job",
        " ",
        "4711",
        "ü",
        "作业",
        "😀",
        "\u001b[31m",
        "\r\n",
        "\n",
        "\t",
        "\0",
        "\u007f",
        "\u0085",
        "\u009b2J",
        "\u200f",
        "\u202e",
        "\u2028",
        "\u2029",
        "\u2066",
        "\ufeff",
        "\ud800",
        "\udc00",
        "\udb40\udc41",
        "\\",
        "\"",
        "'",
        "=",
        "%n",
        "${x}",
        "<b>"
    };

    @Test
    void letters_of_all_languages_are_plain() {
        for (final String text : new String[] {"", "a job's name", "größer", "作业三", "😀", "дело № 5", "e\u0301"}) {
            assertThat(Text.isPlain(text)).as(text).isTrue();
            assertThat(Text.escaped(text)).isSameAs(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2J",
                "a\nb",
                "a\rb",
                "\t",
                "\0",
                "\u007f",
                "\u0085",
                "\u009b",
                "\u00ad",
                "\u200b",
                "\u200e",
                "\u202e",
                "\u2028",
                "\u2029",
                "\u2066",
                "\ufeff",
                "\udb40\udc41",
                "\ud800",
                "\udc00"
            })
    void what_forges_lines_or_moves_the_cursor_is_refused(final String text) {
        assertThat(Text.isPlain(text)).isFalse();
        assertThat(Text.fault("x" + text))
                .contains(
                        "U+%04X at character ".formatted(text.codePointAt(Text.isPlain(text.substring(0, 1)) ? 1 : 0)));
    }

    @Test
    void an_escaped_text_is_plain_and_an_escaped_block_has_no_other_than_line_feeds_and_tabs() {
        final Random random = new Random(7);
        Stream.generate(() -> {
                    final StringBuilder text = new StringBuilder();
                    for (int i = random.nextInt(12); i >= 0; i--) {
                        text.append(PIECES[random.nextInt(PIECES.length)]);
                    }
                    return text.toString();
                })
                .limit(5000)
                .forEach(text -> {
                    assertThat(Text.isPlain(Text.escaped(text))).as(text).isTrue();
                    assertThat(Text.isPlain(Text.escapedLines(text).replaceAll("[\n\t]", "")))
                            .as(text)
                            .isTrue();
                    assertThat(Text.escaped(Text.escaped(text))).isEqualTo(Text.escaped(text));
                });
    }

    @Test
    void names_of_nodes_and_partitions_contain_no_control_characters_either() {
        for (final String name : new String[] {"n\u009b1", "n\u202e1", "n\u20281", "n 1", "n\u00a01"}) {
            assertThatThrownBy(() -> NodeName.of(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> PartitionName.of(name))
                    .hasMessageNotContaining("\u009b")
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
