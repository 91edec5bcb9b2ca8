package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.embedded.FreePort;
import io.millrace.model.Event;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.testing.Attack;
import jakarta.mail.internet.MimeMessage;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Mail about jobs at a real SMTP server. */
class MailDeliveryTest {

    private GreenMail server;
    private long now_ns;

    @BeforeEach
    void start() {
        server = new GreenMail(new ServerSetup(FreePort.orWanted(0), "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private static JobSubmitted job(final String name, final Map<String, String> variables) {
        final JobSubmitted plain = TestData.submitted(TestData.id(), "anna", name);
        final JobSpec spec = plain.spec().withEnvironment(variables);
        return new JobSubmitted(
                plain.job(),
                1,
                plain.owner(),
                spec,
                plain.source(),
                plain.directory(),
                plain.target(),
                plain.submittedAt(),
                plain.signature());
    }

    private static JobSubmitted jobWithMail(final String types) {
        return job("mesh", Map.of("MILLRACE_MAIL_TYPE", types, "MILLRACE_MAIL_USER", "anna@site.example"));
    }

    private MailDelivery delivery(final JobSubmitted job, final int port) {
        return delivery(job, null, port);
    }

    private MailDelivery delivery(final JobSubmitted job, final @Nullable RunEnded lastRun, final int port) {
        return delivery(job, lastRun, port, 3, 1_000);
    }

    private MailDelivery delivery(
            final JobSubmitted job,
            final @Nullable RunEnded lastRun,
            final int port,
            final int ofUser,
            final int ofAll) {
        return new MailDelivery(
                new HandlerTarget.Mail(
                        URI.create("smtp://127.0.0.1:" + port),
                        "millrace@site.example",
                        "users.example",
                        null,
                        null,
                        null,
                        Duration.ofMinutes(2),
                        ofUser,
                        ofAll),
                of -> Optional.of(new AffectedJobs.Found(job, lastRun))
                        .filter(known -> known.job().job().equals(of.job())),
                Clock.systemUTC(),
                () -> now_ns);
    }

    private MailDelivery delivery(final JobSubmitted job) {
        return delivery(job, server.getSmtp().getPort());
    }

    private static HandlerEvent read(final Event event) {
        return new HandlerEvent(Map.of("id", event.toString(), "source", "test"), "{}").with(event);
    }

    private List<String> subjects() {
        return Arrays.stream(server.getReceivedMessages())
                .map(message -> {
                    try {
                        return message.getSubject();
                    } catch (jakarta.mail.MessagingException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
    }

    private static Event ended(final JobSubmitted job, final RunOutcome outcome) {
        return TestData.job(job, new GlobalJobState.End(outcome), 1);
    }

    private static Event running(final JobSubmitted job, final Instant since) {
        return TestData.local(
                TestData.key(TestData.BETA, 7),
                "anna",
                new JobState.Running(since, List.of()),
                job.job().attempt(1));
    }

    @Test
    void a_mail_names_the_job_and_what_happened() throws Exception {
        final JobSubmitted job = jobWithMail("END");

        assertThat(delivery(job).deliver(read(ended(job, new RunOutcome.Exited(3)))))
                .isEqualTo(new DeliveryResult.Delivered());

        final MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getSubject()).isEqualTo("Job " + job.jobNumber() + " (mesh) has failed: exit code 3");
        assertThat(mail.getAllRecipients()).extracting(Object::toString).containsExactly("anna@site.example");
        assertThat(mail.getFrom()).extracting(Object::toString).containsExactly("millrace@site.example");
        assertThat(mail.getHeader("Auto-Submitted")).containsExactly("auto-generated");
        assertThat(mail.getContent().toString()).contains("mgstat --why " + job.jobNumber());
    }

    @Test
    void a_mail_at_the_end_says_what_the_last_run_used() throws Exception {
        final JobSubmitted job = jobWithMail("END");
        final RunEnded run = TestData.ended(
                        TestData.key(TestData.BETA, 7), "anna", null, Instant.now(), new RunOutcome.Exited(0))
                .withUsage(new ResourceUsage(Duration.ofSeconds(930), 300L << 20, null));

        delivery(job, run, server.getSmtp().getPort()).deliver(read(ended(job, new RunOutcome.Exited(0))));

        assertThat(server.getReceivedMessages()[0].getContent().toString())
                .containsPattern("\\r\\nTime: .*\\r\\nUsed:      1\\.6 of 4 cores, 0\\.3 of 2 GiB\\r\\nSubmitted: ");
    }

    @Test
    void only_the_events_that_the_job_asks_for_are_mailed() {
        final JobSubmitted failures = jobWithMail("FAIL,REQUEUE");
        final JobSubmitted none = job("mesh", Map.of());

        assertThat(delivery(failures).deliver(read(ended(failures, new RunOutcome.Exited(0)))))
                .isEqualTo(new DeliveryResult.Ignored());
        assertThat(delivery(none).deliver(read(ended(none, new RunOutcome.Exited(1)))))
                .isEqualTo(new DeliveryResult.Ignored());
        assertThat(delivery(failures).deliver(read(TestData.job(failures, new GlobalJobState.Waiting("x"), 1))))
                .isEqualTo(new DeliveryResult.Ignored());
        assertThat(server.getReceivedMessages()).isEmpty();
        assertThat(delivery(failures)
                        .deliver(read(TestData.job(failures, new GlobalJobState.Aborted("no cluster"), 1))))
                .isEqualTo(new DeliveryResult.Delivered());
        assertThat(subjects()).containsExactly("Job " + failures.jobNumber() + " (mesh) has failed: no cluster");
    }

    @Test
    void the_start_of_a_run_is_mailed_once_and_not_hours_later() {
        final JobSubmitted job = jobWithMail("BEGIN");
        final MailDelivery delivery = delivery(job);
        final Instant now = Instant.now();

        delivery.deliver(read(running(job, now)));
        assertThat(delivery.deliver(read(running(job, now)))).isEqualTo(new DeliveryResult.Ignored());
        assertThat(delivery.deliver(read(running(job, now.minus(Duration.ofHours(5))))))
                .isEqualTo(new DeliveryResult.Ignored());
        assertThat(subjects()).containsExactly("Job " + job.jobNumber() + " (mesh) has started on beta");
        delivery.deliver(read(running(job, now.plusSeconds(60))));
        assertThat(subjects()).hasSize(2);
    }

    @Test
    @Attack("the name of a job or a reason adds a recipient to a mail")
    void a_name_or_a_reason_adds_no_header() throws Exception {
        final JobSubmitted job = job("mesh\r\nBcc: eve@evil.example\r\n\r\nbody", Map.of("MILLRACE_MAIL_TYPE", "ALL"));

        delivery(job).deliver(read(TestData.job(job, new GlobalJobState.Aborted("x\r\nBcc: eve@evil.example"), 1)));

        final MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getHeader("Bcc")).isNull();
        assertThat(mail.getAllRecipients()).extracting(Object::toString).containsExactly("anna@users.example");
        assertThat(mail.getSubject()).contains("mesh Bcc: eve@evil.example").doesNotContain("\n", "\r");
    }

    @Attack("a text of a job becomes a header, a recipient or a part of a mail")
    @TestFactory
    Stream<DynamicTest> no_text_of_a_job_changes_the_headers_of_a_mail() {
        return Stream.of(
                        "\nBcc: eve@evil.example",
                        "\rBcc: eve@evil.example",
                        "\r\nBcc: eve@evil.example\r\n",
                        "\r\n Bcc: eve@evil.example",
                        "\r\n\tBcc: eve@evil.example",
                        "\u0000\nBcc: eve@evil.example",
                        "\u2028Bcc: eve@evil.example",
                        "\u0085Bcc: eve@evil.example",
                        "\u000bBcc: eve@evil.example",
                        "%0d%0aBcc: eve@evil.example",
                        "=?utf-8?Q?=0d=0aBcc:_eve@evil.example?=",
                        "\r\n.\r\nRCPT TO:<eve@evil.example>\r\nDATA\r\n",
                        "\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>",
                        "x".repeat(100_000) + "\r\nBcc: eve@evil.example")
                .map(text -> DynamicTest.dynamicTest(text.substring(0, Math.min(60, text.length())), () -> {
                    server.purgeEmailFromAllMailboxes();
                    final JobSubmitted job = job("mesh" + text, Map.of("MILLRACE_MAIL_TYPE", "ALL"));

                    delivery(job).deliver(read(TestData.job(job, new GlobalJobState.Aborted("no" + text), 1)));

                    assertThat(server.getReceivedMessages()).hasSize(1);
                    final MimeMessage mail = server.getReceivedMessages()[0];
                    assertThat(mail.getHeader("Bcc")).isNull();
                    assertThat(mail.getContentType()).startsWith("text/plain");
                    assertThat(mail.getAllRecipients())
                            .extracting(Object::toString)
                            .containsExactly("anna@users.example");
                    assertThat(mail.getSubject()).doesNotContain("\n", "\r");
                }));
    }

    @Attack("a batch whose jobs all ask for mail floods the mail server of the site")
    @Test
    void mails_beyond_the_limit_of_a_user_are_dropped() {
        final JobSubmitted job = jobWithMail("END");
        final MailDelivery delivery = delivery(job);

        final List<DeliveryResult> results = IntStream.range(0, 10)
                .mapToObj(i -> delivery.deliver(read(ended(job, new RunOutcome.Exited(i)))))
                .toList();

        assertThat(results.subList(0, 3)).containsOnly(new DeliveryResult.Delivered());
        assertThat(results.subList(3, 10)).containsOnly(new DeliveryResult.Ignored());
        assertThat(server.getReceivedMessages()).hasSize(3);
    }

    @Test
    void the_next_mail_says_how_many_were_dropped() throws Exception {
        final JobSubmitted job = jobWithMail("END");
        final MailDelivery delivery = delivery(job);
        for (int i = 0; i < 10; i++) {
            delivery.deliver(read(ended(job, new RunOutcome.Exited(i))));
        }
        now_ns += Duration.ofMinutes(45).toNanos();
        delivery.deliver(read(ended(job, new RunOutcome.Exited(10))));
        delivery.deliver(read(ended(job, new RunOutcome.Exited(11))));

        assertThat(server.getReceivedMessages()).hasSize(5);
        assertThat(server.getReceivedMessages()[3].getContent().toString())
                .contains("7 earlier mails about your jobs were not sent: at most 3 an hour");
        assertThat(server.getReceivedMessages()[4].getContent().toString()).doesNotContain("earlier mails");
    }

    @Attack("many users together flood the mail server of the site")
    @Test
    void mails_beyond_the_limit_of_all_users_are_sent_later() throws Exception {
        final JobSubmitted job = jobWithMail("END");
        final MailDelivery delivery = delivery(job, null, server.getSmtp().getPort(), 1_000, 2);
        final List<DeliveryResult> results = IntStream.range(0, 3)
                .mapToObj(i -> delivery.deliver(read(ended(job, new RunOutcome.Exited(i)))))
                .toList();

        assertThat(results.subList(0, 2)).containsOnly(new DeliveryResult.Delivered());
        assertThat(results.getLast()).isInstanceOfSatisfying(DeliveryResult.Failed.class, later -> {
            assertThat(later.reason()).contains("2 mails per hour", "millrace.submit.limits.mails-per-hour");
            assertThat(later.notBefore()).isBetween(Duration.ofMinutes(20), Duration.ofMinutes(30));
        });
        assertThat(server.getReceivedMessages()).hasSize(2);
    }

    @Test
    void a_repeated_mail_has_the_same_id() throws Exception {
        final JobSubmitted job = jobWithMail("END");
        final HandlerEvent event = read(ended(job, new RunOutcome.Exited(0)));

        delivery(job).deliver(event);
        delivery(job).deliver(event);

        assertThat(server.getReceivedMessages())
                .extracting(MimeMessage::getMessageID)
                .hasSize(2)
                .containsOnly("<" + event.id() + "@millrace>");
    }

    @Test
    void a_server_that_cannot_be_reached_is_retried() {
        final JobSubmitted job = jobWithMail("END");

        assertThat(delivery(job, FreePort.orWanted(0)).deliver(read(ended(job, new RunOutcome.Exited(0)))))
                .isInstanceOfSatisfying(
                        DeliveryResult.Failed.class,
                        failed -> assertThat(failed.reason()).contains("the mail could not be sent"));
    }
}
