package io.millrace.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.FakeApi;
import io.millrace.cli.api.CommandException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class MgtailTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    private static String part(final boolean finished, final long size, final long offset, final String text) {
        return "{\"finished\":%s,\"size\":%d,\"offset\":%d,\"content\":\"%s\"}"
                .formatted(
                        finished,
                        size,
                        offset,
                        Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String mgtail(final FakeApi api, final String... arguments) throws Exception {
        final Mgtail command = new Mgtail(out, 10);
        new CommandLine(command).parseArgs(arguments);
        assertThat(command.run(api.client())).isZero();
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void the_last_lines_of_a_stream_are_printed() throws Exception {
        try (FakeApi api = new FakeApi(home).answer("/jobs/01A/files", part(false, 12, 0, "one\ntwo\nthree"))) {
            assertThat(mgtail(api, "-n", "2", "-e", "01A")).isEqualTo("two\nthree");
            assertThat(api.requests()).containsExactly("GET /jobs/01A/files?stream=error");
        }
    }

    @Test
    void following_prints_what_is_added_until_the_job_has_finished() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer("/jobs/01A/files", part(false, 8, 0, "one\ntwo\n"));
            api.afterwards("/jobs/01A/files", part(false, 14, 8, "three\n"));
            api.afterwards("/jobs/01A/files", part(false, 14, 14, ""));
            api.afterwards("/jobs/01A/files", part(true, 19, 14, "four\n"));
            assertThat(mgtail(api, "-n", "1", "-f", "01A")).isEqualTo("two\nthree\nfour\n");
            assertThat(api.requests())
                    .containsExactly(
                            "GET /jobs/01A/files?stream=output",
                            "GET /jobs/01A/files?stream=output&offset=8",
                            "GET /jobs/01A/files?stream=output&offset=14",
                            "GET /jobs/01A/files?stream=output&offset=14");
        }
    }

    @Test
    void a_job_that_is_not_found_is_not_waited_for() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            assertThatThrownBy(() -> mgtail(api, "-f", "01Z"))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("not found");
        }
    }

    @Test
    void lines_are_counted_with_and_without_an_end_of_the_last_one() {
        assertThat(from("a\nb\nc\n", 1)).isEqualTo("c\n");
        assertThat(from("a\nb\nc", 1)).isEqualTo("c");
        assertThat(from("a\nb\nc", 2)).isEqualTo("b\nc");
        assertThat(from("a\nb\n", 5)).isEqualTo("a\nb\n");
        assertThat(from("\n\n", 1)).isEqualTo("\n");
        assertThat(from("a\n", 0)).isEmpty();
        assertThat(from("", 3)).isEmpty();
    }

    private static String from(final String text, final int lines) {
        return text.substring(Mgtail.start(text.getBytes(StandardCharsets.UTF_8), lines));
    }

    @Test
    void mgpeek_lists_a_folder_and_prints_a_file() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer(
                    "/jobs/01A/files",
                    "{\"cluster\":\"beta\",\"directory\":\"/s/1\",\"entries\":[{\"name\":\"a\\u001b[2J\",\"type\":\"folder\","
                            + "\"size\":4096,\"modifiedAt\":\"2026-03-01T12:00:00Z\"}]}");
            api.afterwards("/jobs/01A/files", part(false, 8, 0, "one\n"));
            api.afterwards("/jobs/01A/files", part(false, 8, 4, "two\n"));
            assertThat(mgpeek(api, "01A")).isEqualTo("        4096  2026-03-01T12:00:00Z  a\\u001b[2J/\n");
            printed.reset();
            assertThat(mgpeek(api, "01A", "sub dir/x")).isEqualTo("one\ntwo\n");
            assertThat(api.requests())
                    .containsExactly(
                            "GET /jobs/01A/files?path=.&offset=0",
                            "GET /jobs/01A/files?path=sub%20dir%2Fx&offset=0",
                            "GET /jobs/01A/files?path=sub%20dir%2Fx&offset=4");
        }
    }

    private String mgpeek(final FakeApi api, final String... arguments) throws Exception {
        final Mgpeek command = new Mgpeek(out);
        new CommandLine(command).parseArgs(arguments);
        assertThat(command.run(api.client())).isZero();
        return printed.toString(StandardCharsets.UTF_8);
    }
}
