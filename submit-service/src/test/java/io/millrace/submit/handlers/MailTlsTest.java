package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.embedded.FreePort;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.testing.Attack;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Mail at a real SMTP server that requires TLS and a login. Its certificate is of a private authority. */
@Isolated("the mail server takes its certificate from system properties")
class MailTlsTest {

    private static final String KEYS = "greenmail.tls.keystore.file";
    private static final String PASSWORD = "greenmail.tls.keystore.password";

    /** The server reads it once in a JVM. */
    private static PrivateCertificate certificate;

    @TempDir
    Path folder;

    private GreenMail server;
    private Path password;

    @BeforeAll
    static void certify(@TempDir final Path keys) throws Exception {
        certificate = PrivateCertificate.make(keys, "ip:127.0.0.1");
        System.setProperty(KEYS, certificate.file().toString());
        System.setProperty(PASSWORD, PrivateCertificate.PASSWORD);
    }

    @AfterAll
    static void forget() {
        System.clearProperty(KEYS);
        System.clearProperty(PASSWORD);
    }

    @BeforeEach
    void start() throws Exception {
        server = new GreenMail(new ServerSetup(FreePort.orWanted(0), "127.0.0.1", ServerSetup.PROTOCOL_SMTPS));
        server.setUser("millrace@site.example", "millrace", "correct");
        server.getUserManager().setAuthRequired(true);
        server.start();
        password = Files.writeString(folder.resolve("password"), "correct\n");
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private DeliveryResult sent(final String host, final @Nullable Path authority) {
        final JobSubmitted plain = TestData.submitted(TestData.id(), "anna", "mesh");
        final JobSubmitted job = new JobSubmitted(
                plain.job(),
                1,
                plain.owner(),
                plain.spec()
                        .withEnvironment(
                                Map.of("MILLRACE_MAIL_TYPE", "END", "MILLRACE_MAIL_USER", "anna@site.example")),
                plain.source(),
                plain.directory(),
                plain.target(),
                plain.submittedAt(),
                plain.signature());
        final MailDelivery delivery = new MailDelivery(
                new HandlerTarget.Mail(
                        URI.create("smtps://" + host + ":" + server.getSmtps().getPort()),
                        "millrace@site.example",
                        null,
                        "millrace",
                        password,
                        authority,
                        Duration.ofMinutes(2),
                        3,
                        3),
                id -> Optional.of(new AffectedJobs.Found(job, null)),
                Clock.systemUTC());
        return delivery.deliver(new HandlerEvent(Map.of("id", "1", "source", "test"), "{}")
                .with(TestData.job(job, new GlobalJobState.End(new RunOutcome.Exited(0)), 1)));
    }

    private static void failed(final DeliveryResult result, final String... words) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        DeliveryResult.Failed.class,
                        failed -> assertThat(failed.reason()).contains(words));
    }

    @Test
    void mail_is_sent_with_tls_and_a_login() throws Exception {
        assertThat(sent("127.0.0.1", certificate.authority())).isEqualTo(new DeliveryResult.Delivered());

        assertThat(server.getReceivedMessages())
                .singleElement()
                .satisfies(mail -> assertThat(mail.getSubject()).contains("(mesh) has ended"));
    }

    @Test
    void a_wrong_password_is_refused_and_a_corrected_file_is_used_at_once() throws Exception {
        Files.writeString(password, "wrong\n");
        failed(sent("127.0.0.1", certificate.authority()), "the mail could not be sent");
        assertThat(server.getReceivedMessages()).isEmpty();

        Files.writeString(password, "correct\n");
        assertThat(sent("127.0.0.1", certificate.authority())).isEqualTo(new DeliveryResult.Delivered());
    }

    @Test
    @Attack("a server with a wrong certificate receives the mails and the password of the site")
    void a_certificate_of_an_unknown_authority_or_another_host_is_refused() {
        failed(sent("127.0.0.1", null), "is not trusted", "mail-authority-file");
        failed(sent("localhost", certificate.authority()), "localhost");
        assertThat(server.getReceivedMessages()).isEmpty();
    }
}
