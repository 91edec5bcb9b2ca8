package io.millrace.submit.domain.handler;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where events go. */
public sealed interface HandlerTarget {

    /** How long one delivery may take. */
    Duration limit();

    /** In one word, without anything secret. */
    String shown();

    /** How CloudEvents are put into a request (CloudEvents 1.0.2, HTTP binding, section 3). */
    enum Mode {
        /** Attributes as headers, the event's data as body. */
        BINARY,
        /** Both as one JSON document. */
        STRUCTURED
    }

    /**
     * An HTTP endpoint of the site.
     *
     * @param authorities file (PEM) of those whose certificates are accepted; null: those that the JVM accepts
     */
    record Webhook(
            URI address,
            Secret secret,
            Mode mode,
            Duration limit,
            @Nullable Path authorities) implements HandlerTarget {

        private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

        public Webhook {
            final String host = address.getHost();
            if (host == null) {
                throw new IllegalArgumentException("a webhook's address is https://HOST/PATH");
            }
            if (address.getRawUserInfo() != null || address.getRawFragment() != null) {
                throw new IllegalArgumentException("a webhook's address carries neither a password nor a fragment");
            }
            final boolean plainAtHome = "http".equals(address.getScheme()) && THIS_MACHINE.contains(host);
            if (!"https".equals(address.getScheme()) && !plainAtHome) {
                throw new IllegalArgumentException(
                        "a webhook's address begins with https:// (http:// only to this machine), got '"
                                + address.getScheme() + "://" + host + "'");
            }
            if (plainAtHome && authorities != null) {
                throw new IllegalArgumentException(
                        "'authority-file' is for https://, and this address begins with http://");
            }
        }

        /** Without the query, which may hold a key. */
        @Override
        public String shown() {
            return address.getScheme() + "://" + address.getRawAuthority()
                    + (address.getRawPath() == null ? "" : address.getRawPath());
        }
    }

    /** Where the secret lies that requests are signed with; never the secret itself. */
    sealed interface Secret {
        /** A file, read for each delivery; several lines are several secrets, of which each signs. */
        record InFile(Path file) implements Secret {}

        /** An environment variable of the service. */
        record InVariable(String name) implements Secret {}
    }

    /**
     * A program of the site.
     *
     * @param argv the program's path and its arguments
     * @param user whose rights it has; null: the service's own
     */
    record Program(List<String> argv, @Nullable String user, Duration limit) implements HandlerTarget {
        public Program {
            argv = List.copyOf(argv);
            if (argv.isEmpty() || !Path.of(argv.getFirst()).isAbsolute()) {
                throw new IllegalArgumentException(
                        "a program is a list: its whole path, then its arguments, e.g. [/usr/local/bin/tell, --room, hpc]");
            }
        }

        @Override
        public String shown() {
            return argv.getFirst();
        }
    }
}
