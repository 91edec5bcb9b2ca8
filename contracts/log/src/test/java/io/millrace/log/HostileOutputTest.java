package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.EscapingStream;
import io.millrace.model.OneLineRecords;
import io.millrace.model.Text;
import io.millrace.testing.Attack;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** S-15. Logs and other output show what others wrote. */
class HostileOutputTest {

    private static final String FORGED = "2026-11-28 12:00:00,000 INFO  [io.millrace] user 'olga' is an operator";
    private static final List<String> HOSTILE = List.of(
            "a\n" + FORGED,
            "a\r" + FORGED,
            "a\r\n" + FORGED,
            "\u001b[2J\u001b[H" + FORGED,
            "a\u2028" + FORGED,
            "\u202e\u0007\u009b31m");

    @Test
    @Attack("forges a line of a log by the message of an exception, of its cause, or of a suppressed one")
    void no_line_of_a_stack_trace_is_a_line_of_the_log() {
        HOSTILE.forEach(text -> {
            final Exception suppressing = new IllegalStateException("closed");
            suppressing.addSuppressed(new IllegalArgumentException(text));
            for (final Exception thrown : List.of(
                    new IllegalStateException(text),
                    new IllegalStateException("x", new RuntimeException(text)),
                    suppressing)) {
                final LogRecord record = new LogRecord(Level.WARNING, "failed");
                record.setThrown(thrown);
                OneLineRecords.kept(record, record::setMessage);
                final StringWriter trace = new StringWriter();
                record.getThrown().printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString().lines())
                        .allMatch(line -> Text.isPlain(line.replace("\t", " ")))
                        .noneMatch(line -> line.startsWith("2026"))
                        .anyMatch(line -> line.startsWith("java.lang.IllegalStateException"))
                        .anyMatch(line -> line.contains("HostileOutputTest.java"));
                assertThat(trace.toString()).doesNotContain("\r", "\u2028");
            }
        });
    }

    @Test
    void an_ordinary_exception_is_logged_as_it_is() {
        final LogRecord record = new LogRecord(Level.WARNING, "failed");
        final Exception thrown = new IllegalStateException("größe", new RuntimeException());
        record.setThrown(thrown);
        OneLineRecords.kept(record, record::setMessage);
        assertThat(record.getThrown()).isSameAs(thrown);
    }

    @Test
    void a_circle_of_causes_ends() {
        final Exception one = new IllegalStateException("a\nb");
        one.initCause(new RuntimeException("c\rd", one));
        final LogRecord record = new LogRecord(Level.WARNING, "failed");
        record.setThrown(one);
        OneLineRecords.kept(record, record::setMessage);
        assertThat(record.getThrown().getCause().toString()).isEqualTo("java.lang.RuntimeException: c\n\td");
    }

    @Test
    @Attack("forges a line of a log by a parameter that is not a string, or by a message that has parameters")
    void messages_and_parameters_of_every_kind_are_escaped() {
        HOSTILE.forEach(text -> {
            final LogRecord record = new LogRecord(Level.INFO, text + " {0} {1} {2}");
            record.setParameters(new Object[] {new StringBuilder(text), new RuntimeException(text), 5});
            OneLineRecords.kept(record, record::setMessage);
            assertThat(Stream.concat(Stream.of(record.getMessage()), Stream.of(record.getParameters())))
                    .allMatch(part -> Text.isPlain(part.toString()));
            assertThat(record.getParameters()[2]).isEqualTo(5);
        });
    }

    @Test
    @Attack("controls the terminal of a person who simulates or imports a log")
    void output_of_programs_is_escaped_whatever_method_prints_it() {
        HOSTILE.forEach(text -> {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            final EscapingStream out = new EscapingStream(bytes);
            out.print(text);
            out.println(text);
            out.print((Object) text);
            out.println((Object) text);
            out.printf("%s %5d%n", text, 5);
            out.format("%s", text);
            out.append(text);
            assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                    .allMatch(Text::isPlain)
                    .anyMatch(line -> line.contains("     5"));
        });
    }
}
