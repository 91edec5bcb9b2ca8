package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import io.millrace.testing.Attack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Names and reasons of other people that try to control the terminal of who reads them. */
@Timeout(600)
class HostileAnswersTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);
    private static final List<String> PIECES = List.of(
            "job",
            " ",
            "作业",
            "\u001b[2J",
            "\u001b[31m",
            "\u001b]0;title\u0007",
            "\r",
            "\n",
            "\t",
            "\0",
            "\b",
            "\u007f",
            "\u0085",
            "\u009b31m",
            "\u200f",
            "\u202e",
            "\u2028",
            "\u2029",
            "\u2066",
            "\ufeff",
            "\ud800",
            "\udb40\udc41",
            "\\",
            "\"");

    @TempDir
    Path home;

    static Stream<String> texts() {
        final Random random = new Random(15);
        return Stream.generate(() -> {
                    final StringBuilder text = new StringBuilder();
                    for (int i = random.nextInt(8); i >= 0; i--) {
                        text.append(PIECES.get(random.nextInt(PIECES.size())));
                    }
                    return text.toString();
                })
                .limit(3000);
    }

    private static void isHarmless(final String printed) {
        assertThat(printed.codePoints().filter(c -> c != '\n').map(Character::getType))
                .doesNotContain(
                        (int) Character.CONTROL,
                        (int) Character.FORMAT,
                        (int) Character.LINE_SEPARATOR,
                        (int) Character.PARAGRAPH_SEPARATOR,
                        (int) Character.SURROGATE);
    }

    @Test
    @Attack("moves the cursor, colours or reverses what others read, or forges a line, by a name in a table")
    void a_line_of_the_commands_is_one_line_of_printable_characters() {
        texts().forEach(text -> {
            isHarmless(Printer.line(text));
            assertThat(Printer.line(text)).doesNotContain("\n");

            final Table table = new Table(List.of(new Table.Column("NAME", false, true)));
            table.row(List.of(new Table.Cell(text)));
            final List<String> lines = table.lines(new Terminal(true, true, 40, true));
            assertThat(lines).hasSize(2);
            isHarmless(Printer.line(lines.get(1)));
        });
    }

    @Test
    @Attack("hides an escape sequence in JSON that a person reads on a terminal")
    void json_is_printable_and_keeps_its_values() throws Exception {
        final ObjectMapper json = new ObjectMapper();
        for (final String text :
                texts().filter(text -> !text.contains("\ud800")).toList()) {
            final String printed = FakeApi.printed(() -> {
                Printer.block(Json.pretty(Json.object().put("name", text)));
                return 0;
            });
            isHarmless(printed);
            assertThat(json.readTree(printed).path("name").asText()).isEqualTo(text);
        }
    }

    @Test
    @Attack("forges a line of mgwait by the reason with which a job was stopped")
    void mgwait_prints_a_reason_on_one_line() throws Exception {
        final String reason = "done\\n\\u001b[32mmgwait: job 01A: exit code 0\\u009b2J\\u202e";
        try (FakeApi api = new FakeApi(home)
                .answer(
                        "/jobs/01A",
                        "{\"id\":\"01A\",\"name\":\"" + reason
                                + "\",\"state\":\"stopped\",\"finished\":true,\"reason\":\"" + reason
                                + "\",\"detail\":\"" + reason + "\"}")) {
            final Mgwait command = new Mgwait(PIPE);
            new CommandLine(command).parseArgs("01A");
            final String printed = errors(() -> command.run(api.client()));
            isHarmless(printed);
            assertThat(printed.lines()).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    @Attack("forges lines of a command by the service's answer to a refused request")
    void a_refusal_of_the_service_is_escaped() throws Exception {
        try (FakeApi api = new FakeApi(home).refuse("/jobs/01A", 422, "x\\u001b[2J\\nmgwait: all is well")) {
            final Mgwait command = new Mgwait(PIPE);
            new CommandLine(command).parseArgs("01A");
            try {
                command.run(api.client());
            } catch (final CommandException e) {
                isHarmless(String.valueOf(e.getMessage()));
                assertThat(e.getMessage().lines()).hasSize(1);
            }
        }
    }

    /** Output elsewhere would not be escaped. Content of files and CSV, which are copied, are exceptions. */
    @Test
    void every_line_goes_through_the_printer() throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(path -> path.toString().endsWith(".java") && !path.endsWith("Printer.java"))
                            .filter(HostileAnswersTest::prints))
                    .isEmpty();
        }
    }

    private static boolean prints(final Path source) {
        try {
            return Files.readString(source).matches("(?s).*System\\.(out|err)(\\.print|\\.format|\\.append|::).*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String errors(final Callable<?> action) throws Exception {
        final PrintStream before = System.err;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            action.call();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
