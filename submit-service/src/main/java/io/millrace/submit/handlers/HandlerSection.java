package io.millrace.submit.handlers;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.protocol.EventType;
import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.submit.domain.handler.HandlerTarget.Mode;
import io.millrace.submit.domain.handler.HandlerTarget.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A handler in the handlers file: a webhook or a program. */
record HandlerSection(
        @Nullable String webhook,
        @Nullable Path secretFile,
        @Nullable String secretVariable,
        @Nullable Mode mode,
        @Nullable Path authorityFile,
        @Nullable List<String> program,
        @Nullable UserName user,
        @Nullable List<String> events,
        @Nullable Set<UserName> users,
        @Nullable Set<ClusterId> clusters,
        @Nullable Start from,
        @Nullable Integer parallel,
        @Nullable Duration timeout,
        @Nullable Integer attempts,
        @Nullable Duration initialBackoff,
        @Nullable Duration maxBackoff,
        @Nullable OnFailure onFailure) {

    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    /** The events that a new handler gets. */
    enum Start {
        NOW,
        BEGINNING
    }

    HandlerSection {
        if (timeout != null && (timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0)) {
            throw new InvalidEntryException("'timeout' must be greater than zero and at most 1h", "timeout");
        }
        requireEntries(users, "users");
        requireEntries(clusters, "clusters");
        if (webhook != null && program == null) {
            requireAbsent("webhook", "user", user);
        }
        if (program != null && webhook == null) {
            requireAbsent("program", "secret-file", secretFile);
            requireAbsent("program", "secret-variable", secretVariable);
            requireAbsent("program", "mode", mode);
            requireAbsent("program", "authority-file", authorityFile);
        }
    }

    private static void requireAbsent(final String target, final String key, final @Nullable Object value) {
        if (value != null) {
            throw new InvalidEntryException("a " + target + " has no '" + key + "': remove it", key);
        }
    }

    private static void requireEntries(final @Nullable Collection<?> entries, final String key) {
        if (entries != null && entries.isEmpty()) {
            throw new InvalidEntryException("'" + key + "' is empty: remove it to mean all", key);
        }
    }

    Handler handler(final String name) {
        if ((webhook == null) == (program == null)) {
            throw new IllegalArgumentException("handler '" + name + "' needs either 'webhook' or 'program'");
        }
        final HandlerTarget target = webhook == null
                ? YamlFile.entry(this::programTarget, "handlers", name, "program")
                : YamlFile.entry(this::webhookTarget, "handlers", name, "webhook");
        return new Handler(
                name,
                target,
                YamlFile.entry(this::filter, "handlers", name, "events"),
                new DeliveryRetries(
                        attempts == null ? 12 : attempts,
                        initialBackoff == null ? Duration.ofSeconds(1) : initialBackoff,
                        maxBackoff == null ? Duration.ofMinutes(5) : maxBackoff,
                        onFailure == null ? OnFailure.DEAD_LETTER : onFailure),
                from == Start.BEGINNING,
                parallel == null ? 1 : parallel);
    }

    private HandlerTarget webhookTarget() {
        return new HandlerTarget.Webhook(
                uri(YamlFile.required(webhook, "webhook")),
                secret(),
                mode == null ? Mode.BINARY : mode,
                timeout == null ? Duration.ofSeconds(10) : timeout,
                authorityFile);
    }

    /** The message does not repeat the address, because its query may contain a key. */
    private static URI uri(final String address) {
        try {
            return new URI(address);
        } catch (final URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the address is not valid: at character " + (e.getIndex() + 1) + ": " + e.getReason());
        }
    }

    private Secret secret() {
        if ((secretFile == null) == (secretVariable == null)) {
            throw new IllegalArgumentException(
                    "the requests of a webhook are signed: set either 'secret-file' or 'secret-variable'");
        }
        return secretFile == null
                ? new Secret.InVariable(YamlFile.required(secretVariable, "secret-variable"))
                : new Secret.InFile(secretFile);
    }

    private HandlerTarget programTarget() {
        return new HandlerTarget.Program(
                YamlFile.required(program, "program"),
                user == null ? null : user.value(),
                timeout == null ? Duration.ofSeconds(30) : timeout);
    }

    private EventFilter filter() {
        final Set<EventType> types = EnumSet.noneOf(EventType.class);
        YamlFile.required(events, "events").forEach(word -> types.addAll(EventFilter.types(word)));
        return new EventFilter(
                types, Objects.requireNonNullElse(users, Set.of()), Objects.requireNonNullElse(clusters, Set.of()));
    }
}
