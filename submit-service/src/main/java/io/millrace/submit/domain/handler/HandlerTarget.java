package io.millrace.submit.domain.handler;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The target of a handler's events. */
public sealed interface HandlerTarget {

    /** Time limit of one delivery. */
    Duration timeout();

    /** Address or program path, without secrets. */
    String displayName();

    /** The content mode of requests (CloudEvents 1.0.2, HTTP binding, section 3). */
    enum Mode {
        /** Attributes as headers, data as body. */
        BINARY,
        /** Attributes and data as one JSON document. */
        STRUCTURED
    }

    /**
     * An HTTP endpoint of the site.
     *
     * @param authorities PEM file of accepted certificate authorities; null: those of the JVM
     */
    record Webhook(
            URI address,
            Secret secret,
            Mode mode,
            Duration timeout,
            @Nullable Path authorities) implements HandlerTarget {

        private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

        public Webhook {
            final String host = address.getHost();
            if (host == null) {
                throw new IllegalArgumentException("a webhook address must have the form https://HOST/PATH");
            }
            if (address.getRawUserInfo() != null || address.getRawFragment() != null) {
                throw new IllegalArgumentException("a webhook address must not contain credentials or a fragment");
            }
            final boolean localHttp = "http".equals(address.getScheme()) && THIS_MACHINE.contains(host);
            if (!"https".equals(address.getScheme()) && !localHttp) {
                throw new IllegalArgumentException(
                        "a webhook address must start with https:// (http:// is accepted for localhost only), got '"
                                + address.getScheme() + "://" + host + "'");
            }
            if (localHttp && authorities != null) {
                throw new IllegalArgumentException("'authority-file' requires an https:// address");
            }
        }

        /** Without the query, which may contain a key. */
        @Override
        public String displayName() {
            return address.getScheme() + "://" + address.getRawAuthority()
                    + (address.getRawPath() == null ? "" : address.getRawPath());
        }
    }

    /** The location of the secret that signs requests. */
    sealed interface Secret {
        /** A file, read for each delivery; each line is a secret, and every secret signs. */
        record InFile(Path file) implements Secret {}

        /** An environment variable of the service. */
        record InVariable(String name) implements Secret {}
    }

    /**
     * The mail server of the site.
     *
     * @param from sender address
     * @param domain of users who give no address; null: none
     * @param user at the server; null: no authentication
     * @param passwordFile null: no authentication
     * @param authorities PEM file of accepted certificate authorities; null: those of the JVM
     * @param userPerHour mails per hour about the jobs of one user
     * @param allPerHour mails per hour about the jobs of all users
     */
    record Mail(
            URI server,
            String from,
            @Nullable String domain,
            @Nullable String user,
            @Nullable Path passwordFile,
            @Nullable Path authorities,
            Duration timeout,
            int userPerHour,
            int allPerHour)
            implements HandlerTarget {

        private static final Set<String> SCHEMES = Set.of("smtp", "smtps");

        public Mail {
            if (server.getScheme() == null
                    || !SCHEMES.contains(server.getScheme())
                    || server.getHost() == null
                    || server.getRawUserInfo() != null) {
                throw new IllegalArgumentException(
                        "a mail server must have the form smtp://HOST:PORT or smtps://HOST:PORT, got '" + server + "'");
            }
            if ((user == null) != (passwordFile == null)) {
                throw new IllegalArgumentException("set both mail-user and mail-password-file, or none of them");
            }
        }

        public boolean isOnThisMachine() {
            return Webhook.THIS_MACHINE.contains(server.getHost());
        }

        @Override
        public String displayName() {
            return server.toString();
        }
    }

    /**
     * A program of the site.
     *
     * @param argv the program's path and its arguments
     * @param user the user that it runs as; null: the user of this service
     */
    record Program(List<String> argv, @Nullable String user, Duration timeout) implements HandlerTarget {
        public Program {
            argv = List.copyOf(argv);
            if (argv.isEmpty() || !Path.of(argv.getFirst()).isAbsolute()) {
                throw new IllegalArgumentException(
                        "'program' must be a list of an absolute path and arguments, e.g. [/usr/local/bin/notify,"
                                + " --channel, hpc]");
            }
        }

        @Override
        public String displayName() {
            return argv.getFirst();
        }
    }
}
