package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.protocol.EventType;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerTarget;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlersFileTest {

    @TempDir
    Path folder;

    private List<Handler> read(final String text) throws IOException {
        return HandlersFile.read(Files.writeString(folder.resolve("handlers.yaml"), text));
    }

    @Test
    void a_webhook_and_a_program_are_read() throws Exception {
        final List<Handler> attached = read("""
                handlers:
                  accounting:
                    webhook: https://accounting.example/hooks/millrace?key=hidden
                    secret-file: /etc/millrace/accounting.secret
                    authority-file: /etc/millrace/site-ca.pem
                    mode: structured
                    timeout: 5s
                    events: [millrace.run.ended.v1]
                    users: [anna]
                    clusters: [alpha, beta]
                    from: beginning
                    parallel: 4
                    attempts: 3
                    initial-backoff: 500ms
                    max-backoff: 1h
                    on-failure: pause
                  chat:
                    program: [/usr/local/bin/tell, --room, hpc]
                    user: hook
                    events: [millrace.global-job.*]
                """);

        assertThat(attached)
                .containsExactly(
                        new Handler(
                                "accounting",
                                new HandlerTarget.Webhook(
                                        URI.create("https://accounting.example/hooks/millrace?key=hidden"),
                                        new HandlerTarget.Secret.InFile(Path.of("/etc/millrace/accounting.secret")),
                                        HandlerTarget.Mode.STRUCTURED,
                                        Duration.ofSeconds(5),
                                        Path.of("/etc/millrace/site-ca.pem")),
                                new EventFilter(
                                        Set.of(EventType.RUN_ENDED),
                                        Set.of(UserName.of("anna")),
                                        Set.of(ClusterId.of("alpha"), ClusterId.of("beta"))),
                                new DeliveryRetries(3, Duration.ofMillis(500), Duration.ofHours(1), OnFailure.PAUSE),
                                true,
                                4),
                        new Handler(
                                "chat",
                                new HandlerTarget.Program(
                                        List.of("/usr/local/bin/tell", "--room", "hpc"),
                                        "hook",
                                        Duration.ofSeconds(30)),
                                new EventFilter(Set.of(EventType.GLOBAL_JOB), Set.of(), Set.of()),
                                new DeliveryRetries(
                                        12, Duration.ofSeconds(1), Duration.ofMinutes(5), OnFailure.DEAD_LETTER),
                                false,
                                1));
        assertThat(attached.getFirst().target().displayName()).isEqualTo("https://accounting.example/hooks/millrace");
    }

    @Test
    void an_empty_file_configures_no_handlers() throws Exception {
        assertThat(read("# nothing yet\n")).isEmpty();
    }

    /** An invalid line in an otherwise valid handler, and its error. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "evnts: [a]                         | line 6, column 5: 'evnts' is not a known key; expected webhook",
                "user: hook                         | line 6, column 5: a webhook has no 'user'",
                "events: [millrace.run.ended.v1]    | line 6, column 5: duplicate key 'events'",
                "users: [-rf]                       | line 6, column 13: '-rf' is not a valid",
                "clusters: []                       | line 6, column 5: 'clusters' is empty",
                "attempts: many                     | line 6, column 15: 'many' is not a whole number",
                "attempts: 0                        | 'attempts' must be between 1 and 1000",
                "initial-backoff: 5                 | line 6, column 22: '5' is not a valid duration",
                "max-backoff: 1ms                   | must be greater than zero and at most 'max-backoff'",
                "timeout: 2h                        | line 6, column 5: 'timeout' must be greater than zero and at most 1h",
                "on-failure: shrug                  | line 6, column 17: 'shrug' is not one of dead-letter, pause",
                "mode: loud                         | line 6, column 11: 'loud' is not one of binary, structured",
                "authority-file: ca.pem             | line 6, column 21: 'ca.pem' is a relative path: use an absolute path",
                "from: yesterday                    | line 6, column 11: 'yesterday' is not one of now, beginning",
                "parallel: 1000                     | line 2, column 3: 'parallel' must be from 1 to 64",
                "secret-variable: HOOK              | set either 'secret-file' or 'secret-variable'",
                "program: [/bin/true]               | line 2, column 3: handler 'h' needs either 'webhook' or 'program'",
            })
    void an_error_names_line_and_column(final String line, final String expected) {
        assertThatThrownBy(() -> read("""
                        handlers:
                          h:
                            webhook: https://example.org/h
                            secret-file: /s
                            events: [millrace.run.ended.v1]
                            %s
                        """.formatted(line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("handlers file " + folder)
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "http://example.org/h              | must start with https://",
                "ftp://example.org/h               | must start with https://",
                "file:///etc/passwd                | https://HOST/PATH",
                "https://anna:secret@example.org/h | must not contain credentials",
                "not an address                    | the address is not valid",
            })
    void webhooks_on_other_machines_need_tls(final String address, final String expected) {
        assertThatThrownBy(() -> read("""
                        handlers:
                          h:
                            webhook: '%s'
                            secret-file: /s
                            events: [millrace.run.ended.v1]
                        """.formatted(address)))
                .hasMessageContaining("line 3, column 5")
                .hasMessageContaining(expected);
    }

    @Test
    void invalid_and_reserved_names_are_refused() {
        for (final String name : List.of("Loud", "a b", "../x", "mail")) {
            assertThatThrownBy(() -> read("handlers:\n  '" + name
                            + "':\n    program: [/bin/true]\n    events: [millrace.run.ended.v1]\n"))
                    .as(name)
                    .hasMessageContaining("line 2, column 3");
        }
    }

    @Test
    void a_program_needs_an_absolute_path() {
        assertThatThrownBy(() -> read("handlers:\n  h:\n    program: [tell]\n    events: [millrace.run.ended.v1]\n"))
                .hasMessageContaining("line 3, column 5")
                .hasMessageContaining("must be a list of an absolute path");
    }
}
