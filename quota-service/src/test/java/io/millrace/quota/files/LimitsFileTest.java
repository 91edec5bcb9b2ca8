package io.millrace.quota.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.UserName;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsFileTest {

    /** The published example, with other syntax of libconfig. */
    private static final String PUBLISHED = """
            # limits of the centre
            limits =
            {
              default = ({ limit = 101; }
              );
              users = ( { user = "root";
                  limit = 60000; }, /* more
                  users */
                { user = "st" "ud"; limit : 0x10; } );
              groups = ( { group = "students";
                  limit = 12.5 }, // half an hour more
                { group = "workers", limit = 1000L; }
              );
            };
            """;

    @Test
    void the_published_file_is_read() {
        final ProcessorHourLimits limits = read(PUBLISHED);

        assertThat(limits.byDefault()).contains(101L * 3600);
        assertThat(limits.users())
                .isEqualTo(Map.of(UserName.of("root"), 60000L * 3600, UserName.of("stud"), 16L * 3600));
        assertThat(limits.groups()).isEqualTo(Map.of("students", 45_000L, "workers", 1000L * 3600));
    }

    @Test
    void another_file_can_be_included() {
        final ProcessorHourLimits limits = read("""
                limits = {
                  default = ({ limit = 1; },);
                  @include "staff.cfg"
                };
                """);

        assertThat(limits.users()).isEqualTo(Map.of(UserName.of("root"), 255L * 3600));
        assertThat(limits.byDefault()).contains(3600L);
    }

    private static final Map<String, String> FILES = Map.of(
            "staff.cfg", "users = ( { user = \"root\", limit = 0xFFL, }, );",
            "broken.cfg", "users = (\n{ limit = none } );",
            "again.cfg", "@include \"again.cfg\"");

    private static ProcessorHourLimits read(final String text) {
        return LimitsFile.read(
                text,
                file -> {
                    if (!FILES.containsKey(file)) {
                        throw new IOException("no such file");
                    }
                    return FILES.get(file);
                },
                GroupMemberships.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limits = { users = ( { user = \"a\"; limit = -1; } ); };|line 1, column 44|0 to 10^12",
                "limits = { users = ( { user = \"a\"; limit = 1e13; } ); };|line 1, column 44|0 to 10^12",
                "limits = { users = ( { user = \"a\"; limit = many; } ); };|line 1, column 44|not a valid value",
                "limits = { users = ( { user = \"a\" } ); };|line 1, column 22|limit =",
                "limits = { users = ( { user = \"a\"; limit = 1 }, { user = \"a\"; limit = 2 } ); };|column 58|duplicate limit",
                "limits = { users = ( { user = \"a b\"; limit = 1 } ); };|line 1, column 31|a b",
                "limits = { users = { user = \"a\"; limit = 1 }; };|column 20|expected ( {",
                "limits = { default = ( { limit = 1 }, { limit = 2 } ); };|column 39|duplicate default",
                "limits = { quotas = 1; };|column 21|'quotas' is not a known setting",
                "limit = 1;|line 1, column 9|'limit' is not a known setting",
                "limits = { users = ( { user = \"a|column 31|unterminated string",
                "limits = { users = (|column 21|before the end",
                "limits = { default = ( { limit = 1 } )|column 39|before the end",
                "limits = { /* default|column 12|comment",
                "@include \"nowhere.cfg\"|line 1, column 1|'nowhere.cfg' cannot be read: no such file",
                "@include other.cfg|line 1, column 1|expected @include",
                "limits = { @include \"broken.cfg\" };|in broken.cfg, line 2, column 11|not a valid value",
                "@include \"again.cfg\"|in again.cfg, line 1, column 1|more than 10 files deep",
                "limits = { @include \"staff.cfg\" users = (); };|line 1, column 33|set twice",
                "limits = { default = ( { limit = 0xFFFFFFFFFFFFFFFFFF } ); };|column 34|not a valid value",
                "limits = { default = ( { limit = 0x } ); };|column 34|not a valid value",
                "limits = { default = ( { limit = 1e999 } ); };|column 34|0 to 10^12",
                "limits = { default = ( { limit = \"9\" } ); };|column 34|expected limit = processor-hours",
                "limits = { default = ( { limit = 1, 2 } ); };|column 38|expected the name",
                "limits = { x = 1; x = 2; };|column 19|set twice",
                "|line 1, column 1|limits = {",
            })
    void an_error_names_its_position(final String text, final String place, final String what) {
        assertThatThrownBy(() -> read(text == null ? "" : text))
                .hasMessageContaining(place)
                .hasMessageContaining(what);
    }

    @Test
    void lines_in_comments_and_strings_are_counted() {
        assertThatThrownBy(() -> read("# one\n/* two\nthree */ limits =\n  { a = \"x\ny\"; b };"))
                .hasMessageContaining("line 5, column 7")
                .hasMessageContaining("expected '=' after 'b'");
    }
}
