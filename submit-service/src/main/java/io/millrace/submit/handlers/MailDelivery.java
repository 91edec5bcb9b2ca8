package io.millrace.submit.handlers;

import io.millrace.model.UserName;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.submit.domain.handler.JobMail;
import io.millrace.submit.domain.handler.JobMail.Occurrence;
import io.millrace.submit.handlers.TrustedAuthorities.CertificateRefusedException;
import io.millrace.submit.limits.Rates;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the mail that jobs ask for over SMTP. Every mail about an event has the same message id, so that a repeated one is recognised. */
final class MailDelivery implements Delivery {

    /** A later mail about the start of a run would be of no use, and an agent publishes running jobs again. */
    private static final Duration MAX_DELAY_OF_BEGIN = Duration.ofHours(1);

    private static final int REMEMBERED_RUNS = 100_000;
    private static final Logger LOG = LoggerFactory.getLogger(MailDelivery.class);

    private final HandlerTarget.Mail server;
    private final AffectedJobs jobs;
    private final Clock clock;
    private final InternetAddress from;
    private final SSLSocketFactory sockets;
    private final Rates<UserName> ofUser;
    private final Rates<String> ofAll;

    /** Mails that users did not get since their last one. */
    private final ConcurrentMap<UserName, Integer> dropped = new ConcurrentHashMap<>();

    /** Runs whose start was reported. */
    private final Set<String> begun = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(final Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED_RUNS;
        }
    }));

    /** @throws IllegalArgumentException if the sender's address or the file of authorities is invalid */
    MailDelivery(final HandlerTarget.Mail server, final AffectedJobs jobs, final Clock clock) {
        this(server, jobs, clock, System::nanoTime);
    }

    MailDelivery(
            final HandlerTarget.Mail server, final AffectedJobs jobs, final Clock clock, final LongSupplier nanoTime) {
        this.server = server;
        this.jobs = jobs;
        this.clock = clock;
        this.ofUser = perHour(server.userPerHour(), nanoTime);
        this.ofAll = perHour(server.allPerHour(), nanoTime);
        this.sockets = TrustedAuthorities.context(server.authorities(), "mail-authority-file")
                .getSocketFactory();
        try {
            this.from = new InternetAddress(server.from(), true);
        } catch (AddressException e) {
            throw new IllegalArgumentException("mail-from '" + server.from() + "' is not a valid address", e);
        }
    }

    private static <K> Rates<K> perHour(final int mails, final LongSupplier nanoTime) {
        return new Rates<>(mails, Duration.ofHours(1), mails, nanoTime);
    }

    @Override
    public DeliveryResult deliver(final HandlerEvent event) {
        final Optional<Occurrence> occurrence =
                Optional.ofNullable(event.event()).flatMap(JobMail::occurrence);
        if (occurrence.isEmpty() || isRepeated(occurrence.get())) {
            return new DeliveryResult.Ignored();
        }
        final DeliveryResult result = send(occurrence.get(), event.id());
        final String run = occurrence.get().run();
        if (run != null && !(result instanceof DeliveryResult.Failed)) {
            begun.add(run);
        }
        return result;
    }

    private DeliveryResult send(final Occurrence occurrence, final String id) {
        try {
            return jobs.find(occurrence)
                    .flatMap(found -> JobMail.of(occurrence, found.job(), found.lastRun())
                            .map(mail -> send(found.job().owner(), mail, id)))
                    .orElseGet(DeliveryResult.Ignored::new);
        } catch (IllegalArgumentException e) { // accepted by an earlier version, or written by another tool
            return new DeliveryResult.Rejected(String.valueOf(e.getMessage()));
        }
    }

    private boolean isRepeated(final Occurrence occurrence) {
        return occurrence.run() != null
                && (begun.contains(occurrence.run())
                        || occurrence.at().isBefore(clock.instant().minus(MAX_DELAY_OF_BEGIN)));
    }

    /**
     * The site's mail server is not flooded: a user whose jobs cause more mails than allowed does not get them, and the mails of all users wait. No
     * request is refused for it, because a mail is caused long after its job was submitted.
     */
    private DeliveryResult send(final UserName owner, final JobMail mail, final String id) {
        final int number = mail.to().size();
        if (!ofUser.use(owner, number).isZero()) {
            if (dropped.merge(owner, number, Integer::sum) == number) {
                LOG.atWarn()
                        .addKeyValue("user", owner)
                        .addKeyValue("limit", server.userPerHour())
                        .log("mails dropped: millrace.submit.limits.user-mails-per-hour is reached");
            }
            return new DeliveryResult.Ignored();
        }
        final Duration wait = ofAll.use("", number);
        final DeliveryResult result = wait.isZero()
                ? send(mail.without(dropped.getOrDefault(owner, 0), server.userPerHour()), id)
                : new DeliveryResult.Failed(
                        "the limit of " + server.allPerHour()
                                + " mails per hour is reached (millrace.submit.limits.mails-per-hour)",
                        wait);
        if (result instanceof DeliveryResult.Failed) { // it is sent again
            ofUser.use(owner, -number);
            if (wait.isZero()) {
                ofAll.use("", -number);
            }
        } else {
            dropped.remove(owner);
        }
        return result;
    }

    private DeliveryResult send(final JobMail mail, final String id) {
        try {
            final Session session = Session.getInstance(properties());
            final MimeMessage message = message(session, mail, id);
            final String password = password();
            if (password == null) {
                Transport.send(message);
            } else {
                Transport.send(message, server.user(), password);
            }
            return new DeliveryResult.Delivered();
        } catch (AddressException e) {
            return new DeliveryResult.Rejected("the address '" + e.getRef() + "' is not valid: " + e.getMessage());
        } catch (SendFailedException e) {
            return e.getInvalidAddresses() != null && e.getInvalidAddresses().length > 0
                    ? new DeliveryResult.Rejected("the mail server refused the address: " + reason(e))
                    : new DeliveryResult.Failed("the mail was not accepted: " + reason(e));
        } catch (MessagingException e) {
            return new DeliveryResult.Failed("the mail could not be sent: " + reason(e));
        } catch (IOException e) {
            return new DeliveryResult.Failed("the file of the password cannot be read: " + e);
        }
    }

    private static String reason(final MessagingException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateRefusedException refused) {
                return String.valueOf(refused.getMessage());
            }
        }
        final Exception next = e.getNextException();
        return String.valueOf(next == null ? e.getMessage() : next.getMessage()).strip();
    }

    private @Nullable String password() throws IOException {
        return server.passwordFile() == null
                ? null
                : Files.readString(server.passwordFile()).strip();
    }

    private Properties properties() {
        final boolean tls = server.server().getScheme().equals("smtps");
        final String timeout_ms = Long.toString(server.timeout().toMillis());
        final Properties properties = new Properties();
        properties.putAll(Map.of(
                "mail.smtp.host",
                server.server().getHost(),
                "mail.smtp.port",
                Integer.toString(server.server().getPort() > 0 ? server.server().getPort() : tls ? 465 : 25),
                "mail.smtp.ssl.enable",
                Boolean.toString(tls),
                "mail.smtp.ssl.checkserveridentity",
                "true",
                "mail.smtp.starttls.enable",
                Boolean.toString(!tls),
                "mail.smtp.starttls.required",
                Boolean.toString(!tls && !server.isOnThisMachine()),
                "mail.smtp.auth",
                Boolean.toString(server.user() != null),
                "mail.smtp.connectiontimeout",
                timeout_ms,
                "mail.smtp.timeout",
                timeout_ms,
                "mail.smtp.writetimeout",
                timeout_ms));
        properties.put("mail.smtp.ssl.socketFactory", sockets);
        // Otherwise a refused certificate is tried again with the authorities of the JVM.
        properties.put("mail.smtp.socketFactory.fallback", "false");
        return properties;
    }

    private MimeMessage message(final Session session, final JobMail mail, final String id) throws MessagingException {
        final MimeMessage message = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader("Message-ID", "<" + id + "@millrace>");
            }
        };
        message.setFrom(from);
        for (final String to : mail.to()) {
            message.addRecipient(Message.RecipientType.TO, address(to));
        }
        message.setSubject(mail.subject(), StandardCharsets.UTF_8.name());
        message.setText(mail.text(), StandardCharsets.UTF_8.name());
        message.setHeader("Auto-Submitted", "auto-generated");
        message.setSentDate(Date.from(clock.instant()));
        return message;
    }

    private InternetAddress address(final String to) throws AddressException {
        return new InternetAddress(
                to.contains("@") || server.domain() == null ? to : to + "@" + server.domain(), to.contains("@"));
    }
}
