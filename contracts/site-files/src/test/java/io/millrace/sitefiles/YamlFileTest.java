package io.millrace.sitefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlFileTest {

    private enum Colour {
        LIGHT_RED,
        BLUE
    }

    private record Size(String text) {
        static Size of(final String text) {
            if (text.isBlank()) {
                throw new IllegalArgumentException("'" + text + "' is not a valid size");
            }
            return new Size(text);
        }
    }

    @Shorthand
    private record Item(@Nullable Integer count, @Nullable Size maxSize) {
        private Item {
            if (count != null && count < 0) {
                throw new InvalidEntryException("a count cannot be negative: " + count, "count");
            }
            YamlFile.required(count, "count");
        }
    }

    private record Content(
            @Nullable Map<Size, Item> items,
            @Nullable List<Colour> colours,
            @Nullable Duration pause,
            @Nullable Instant from,
            @Nullable Path folder,
            @Nullable Boolean strict,
            @Nullable String text) {}

    private static Content read(final String text) {
        return YamlFile.parse("test file t.yaml", text, Content.class, Function.identity());
    }

    private static void assertInvalid(final String text, final String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text)).withMessage("test file t.yaml, " + message);
    }

    @Test
    void values_are_bound_by_the_types_of_the_components() {
        final Content content = read("""
                items:
                  large: {count: 3, max-size: 8 m}
                  small: 4
                colours: [light-red, blue]
                pause: 90s
                from: 2026-03-09T00:00:00+01:00
                folder: /var/tmp
                strict: yes
                text: 007
                """);

        assertThat(content.items())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(new Size("large"), new Item(3, new Size("8 m")), new Size("small"), new Item(4, null)));
        assertThat(content.colours()).containsExactly(Colour.LIGHT_RED, Colour.BLUE);
        assertThat(content.pause()).isEqualTo(Duration.ofSeconds(90));
        assertThat(content.from()).isEqualTo(Instant.parse("2026-03-08T23:00:00Z"));
        assertThat(content.folder()).isEqualTo(Path.of("/var/tmp"));
        assertThat(content.strict()).isTrue();
        assertThat(content.text()).isEqualTo("007");
    }

    @Test
    void an_empty_file_sets_nothing() {
        assertThat(read("# nothing\n")).isEqualTo(new Content(null, null, null, null, null, null, null));
    }

    @Test
    void an_error_names_line_column_value_and_remedy() {
        assertInvalid("items:\n  a: many\n", "line 2, column 6: 'many' is not a whole number");
        assertInvalid("items:\n  a: {count: many}\n", "line 2, column 14: 'many' is not a whole number");
        assertInvalid("items:\n  a: {count: -1}\n", "line 2, column 7: a count cannot be negative: -1");
        assertInvalid("items:\n  a: -1\n", "line 2, column 6: a count cannot be negative: -1");
        assertInvalid("items:\n  a: {}\n", "line 2, column 6: 'count' is missing: add it");
        assertInvalid(
                "items:\n  a: {number: 1}\n",
                "line 2, column 7: 'number' is not a known key; expected count, max-size");
        assertInvalid("items:\n  ' ': 1\n", "line 2, column 3: ' ' is not a valid size");
        assertInvalid("items:\n  a: {count: 1, max-size: ' '}\n", "line 2, column 27: ' ' is not a valid size");
        assertInvalid("items:\n  a: 1\n  a: 2\n", "line 3, column 3: duplicate key 'a': remove one of them");
        assertInvalid("items: 5\n", "line 1, column 8: expected a mapping: { key: value, … }");
        assertInvalid("items:\n  a: [1]\n", "line 2, column 6: expected a mapping with the keys count, max-size");
        assertInvalid("colours: blue\n", "line 1, column 10: expected a list: [ … ]");
        assertInvalid("colours: [blue, red]\n", "line 1, column 17: 'red' is not one of light-red, blue");
        assertInvalid("colours: [[blue]]\n", "line 1, column 11: expected a single value");
        assertInvalid(
                "pause: soon\n",
                "line 1, column 8: 'soon' is not a valid duration: use a form such as 500ms, 10s, 5m, 2h or 14d");
        assertInvalid(
                "from: monday\n",
                "line 1, column 7: 'monday' is not a valid time: use a form such as 2026-03-09T00:00:00+01:00");
        assertInvalid("folder: tmp\n", "line 1, column 9: 'tmp' is a relative path: use an absolute path");
        assertInvalid("pause:\n", "line 1, column 7: the value is missing: add it or remove the key");
        assertInvalid("strict: maybe\n", "line 1, column 9: 'maybe' is not valid: expected true or false");
        assertInvalid(
                "[1]\n",
                "line 1, column 1: expected a mapping with the keys items, colours, pause, from, folder, strict, text");
    }

    @Test
    void text_that_is_not_yaml_is_rejected_with_its_place() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("items: {\n"))
                .withMessageStartingWith("test file t.yaml, line 2, column 1: not valid YAML: ");
    }

    @Test
    void an_error_of_the_conversion_names_the_entry() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> YamlFile.parse(
                        "f",
                        "items:\n  a: 1\n",
                        Content.class,
                        content -> YamlFile.entry(() -> Integer.parseUnsignedInt("x"), "items", "a")))
                .withMessageStartingWith("f, line 2, column 3: ");
    }

    @Test
    void a_missing_file_is_named(@TempDir final Path folder) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> YamlFile.read("site file", folder.resolve("x.yaml"), Content.class, Function.identity()))
                .withMessageContaining("site file " + folder.resolve("x.yaml") + " cannot be read");
    }

    @Test
    void a_file_that_all_users_can_change_is_refused(@TempDir final Path folder) throws IOException {
        final Path file = Files.writeString(folder.resolve("site.yaml"), "strict: true\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> YamlFile.read("site file", file, Content.class, Function.identity()))
                .withMessageContaining("site file " + file)
                .withMessageContaining("chmod o-w");
        assertThatIllegalStateException()
                .isThrownBy(() -> new WatchedFile<>("site file", file, text -> text))
                .withMessageContaining("chmod o-w");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        assertThat(YamlFile.read("site file", file, Content.class, Content::strict))
                .isTrue();
        assertThat(new WatchedFile<>("site file", file, text -> text).content()).isEqualTo("strict: true\n");
    }
}
