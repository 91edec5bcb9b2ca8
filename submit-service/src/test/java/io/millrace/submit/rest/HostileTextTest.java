package io.millrace.submit.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.model.OneLineRecords;
import io.millrace.model.Text;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.JobSetting.MailEvent;
import io.millrace.submit.TestData;
import io.millrace.submit.config.OneLineLog;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.handler.JobMail;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.domain.usage.UsageCsv;
import io.millrace.submit.rest.jobs.JobsResource;
import io.millrace.testing.Attack;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.Test;

/** Texts that try to forge a line, a header or a formula, at every border and through every printer of the service. */
class HostileTextTest {

    private static final List<String> PIECES = List.of(
            "job",
            " ",
            "作业",
            "😀",
            "\u001b[2J",
            "\u001b]0;x\u0007",
            "\r\n",
            "\n2026-11-28 12:00:00,000 INFO  forged",
            "\t",
            "\0",
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
            "=1+1",
            "+",
            "-",
            "@",
            "\"",
            ",",
            "'",
            "\r\nBcc: all@site.example",
            "%s",
            "{0}",
            "<script>");

    /** The seed is fixed: the same texts in every run. */
    static Stream<String> texts() {
        final Random random = new Random(36);
        return Stream.generate(() -> {
                    final StringBuilder text = new StringBuilder();
                    for (int i = random.nextInt(6); i >= 0; i--) {
                        text.append(PIECES.get(random.nextInt(PIECES.size())));
                    }
                    return text.toString();
                })
                .limit(3000);
    }

    @Test
    @Attack("sends a name or a reason with control, bidi or line-separator characters to the REST API")
    void a_request_with_such_a_text_is_refused_and_names_the_field() {
        // UTF-8 has no unpaired surrogates.
        texts().map(text -> text.replace("\ud800", ""))
                .filter(text -> !Text.isPlain(text))
                .forEach(text -> {
                    assertThatExceptionOfType(RequestRefused.class)
                            .isThrownBy(() -> StrictJsonTest.read(JobsResource.StopRequest.class, json("reason", text)))
                            .satisfies(refused ->
                                    assertThat(Text.isPlain(refused.reason())).isTrue())
                            .withMessageContaining("reason");
                    assertThatThrownBy(() -> StrictJsonTest.read(JobRequest.class, json("name", text)))
                            .isInstanceOf(RequestRefused.class);
                });
    }

    @Test
    void a_script_and_variables_may_contain_them() throws Exception {
        StrictJsonTest.read(JobRequest.class, json("script", "#!/bin/sh\n\u001b[31m\n"));
        StrictJsonTest.read(JobRequest.class, "{\"environment\": {\"A\": \"one\\ntwo\"}}");
    }

    @Test
    @Attack("puts a formula into a cell of a usage record, for the spreadsheet of the accounting department")
    void a_cell_is_neither_a_formula_nor_a_second_line() {
        texts().forEach(text -> {
            final String cell = UsageCsv.cell(text);
            assertThat(Text.isPlain(cell)).isTrue();
            final String shown = cell.startsWith("\"") ? cell.substring(1) : cell;
            if (!text.matches("-?[0-9]+")) {
                assertThat(shown.strip())
                        .doesNotStartWith("=")
                        .doesNotStartWith("+")
                        .doesNotStartWith("-")
                        .doesNotStartWith("@");
            }
        });
        assertThat(UsageCsv.cell("-17")).isEqualTo("-17");
        assertThat(UsageCsv.cell("=HYPERLINK(\"http://x\")")).isEqualTo("\"'=HYPERLINK(\"\"http://x\"\")\"");
    }

    @Test
    @Attack("adds headers to a mail, or lines to its text, by the name of a job")
    void a_mail_has_the_lines_that_it_should_have() {
        final int lines = mail("mesh").text().split("\n", -1).length;
        texts().forEach(text -> {
            final JobMail mail = mail(text);
            assertThat(Text.isPlain(mail.subject())).isTrue();
            assertThat(mail.text().split("\n", -1)).hasSize(lines).allMatch(Text::isPlain);
        });
    }

    private static JobMail mail(final String name) {
        final JobSubmitted plain = TestData.submitted(TestData.id(), "anna", name);
        final JobSubmitted job = new JobSubmitted(
                plain.job(),
                1,
                plain.owner(),
                plain.spec().withEnvironment(Map.of("MILLRACE_MAIL_TYPE", "END")),
                plain.source(),
                plain.directory(),
                plain.target(),
                plain.submittedAt(),
                plain.signature());
        return JobMail.of(
                        new JobMail.Occurrence(
                                job.job(),
                                Set.of(MailEvent.END),
                                JobStatus.SUCCEEDED,
                                "has ended: " + name,
                                Instant.EPOCH,
                                null,
                                null,
                                true),
                        job,
                        null)
                .orElseThrow();
    }

    @Test
    @Attack("forges a line of a service's log by a reason")
    void a_log_message_is_one_line() {
        texts().forEach(text -> {
            final LogRecord message = new LogRecord(Level.INFO, "job stopped, reason " + text);
            assertThat(OneLineRecords.kept(message, message::setMessage)).isTrue();
            assertThat(Text.isPlain(message.getMessage())).isTrue();

            final LogRecord parameters = new LogRecord(Level.INFO, "job {0} stopped");
            parameters.setParameters(new Object[] {text, 5});
            OneLineRecords.kept(parameters, parameters::setMessage);
            assertThat(Text.isPlain((String) parameters.getParameters()[0])).isTrue();
            assertThat(parameters.getParameters()[1]).isEqualTo(5);
        });
    }

    @Test
    @Attack("a text with braces makes a log message a format that fails, so that the message is lost")
    void a_log_message_of_a_user_is_not_a_format() {
        final ExtLogRecord message =
                new ExtLogRecord(Level.INFO, "reason \n{\"a\":1} %s", ExtLogRecord.FormatStyle.NO_FORMAT, "OneLineLog");
        message.setParameters(new Object[] {"x"});
        assertThat(new OneLineLog().isLoggable(message)).isTrue();
        assertThat(message.getFormattedMessage()).isEqualTo("reason \\u000a{\"a\":1} %s");
    }

    @Test
    @Attack("forges a server-sent event by the name of a job")
    void an_event_of_the_stream_is_one_line() throws Exception {
        final ObjectMapper json = new ObjectMapper();
        for (final String text : texts().toList()) {
            assertThat(json.writeValueAsString(Map.of("name", text))).doesNotContain("\n", "\r", "\0");
        }
    }

    private static String json(final String field, final String text) {
        try {
            return new ObjectMapper().writeValueAsString(Map.of(field, text));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
