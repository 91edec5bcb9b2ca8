package io.millrace.submit;

import io.millrace.submit.config.LimitSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.handler.HandlerTarget;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** The mail server of the site, if Millrace sends mail. */
@ApplicationScoped
public class MailServer {

    private final Optional<HandlerTarget.Mail> target;

    /** @throws IllegalArgumentException if a setting is invalid or missing */
    MailServer(final SubmitSettings settings, final LimitSettings limits) {
        target = settings.mailServer()
                .map(server -> new HandlerTarget.Mail(
                        server,
                        settings.mailFrom()
                                .orElseThrow(() -> new IllegalArgumentException(
                                        "millrace.submit.mail-server requires millrace.submit.mail-from")),
                        settings.mailDomain().orElse(null),
                        settings.mailUser().orElse(null),
                        settings.mailPasswordFile().orElse(null),
                        settings.mailAuthorityFile().orElse(null),
                        Duration.ofSeconds(30),
                        limits.userMailsPerHour(),
                        limits.mailsPerHour()));
    }

    public Optional<HandlerTarget.Mail> target() {
        return target;
    }

    boolean isConfigured() {
        return target.isPresent();
    }
}
