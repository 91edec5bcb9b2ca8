package io.millrace.agent.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.agent.login.LoginKey;
import io.millrace.model.ClusterId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Presents the invitation of a cluster to submit-service, and writes what the agent needs into a folder: its login at the broker, the
 * certificates of the authorities, and the keys that verify submissions. {@code millrace-agent join} runs it as root.
 */
public final class Join {

    private static final String LOGIN_FILE = "broker.properties";
    private static final String BROKER_AUTHORITY = "broker-authority.pem";
    private static final String PLANE_AUTHORITY = "authority.pem";
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Pattern TOKEN =
            Pattern.compile("mgi\\.([a-z][a-z0-9-]*)\\.[A-Za-z0-9_-]{43}\\.([0-9a-f]{64})?");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ClusterId cluster;
    private final Path folder;

    private Join(final ClusterId cluster, final Path folder) {
        this.cluster = cluster;
        this.folder = folder;
    }

    /**
     * @param args the URL of submit-service, the cluster, the file of its login key, and the folder for the files. The token is the first line of
     *     standard input.
     */
    public static void main(final String... args) throws IOException, InterruptedException {
        try {
            final String token = new String(System.in.readNBytes(4096), StandardCharsets.US_ASCII).strip();
            new Join(ClusterId.of(args[1]), Path.of(args[3])).run(URI.create(args[0]), token, Path.of(args[2]));
        } catch (final JoinRefused | IllegalArgumentException e) {
            System.err.println("millrace-agent: " + e.getMessage());
            System.exit(1);
        }
    }

    /** The service, or this program, refuses; the message has the remedy. */
    static final class JoinRefused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        JoinRefused(final String message) {
            super(message);
        }
    }

    void run(final URI plane, final String token, final Path loginKey) throws IOException, InterruptedException {
        final Matcher parts = TOKEN.matcher(token);
        if (!parts.matches()) {
            throw new JoinRefused(
                    "this is not the token of an invitation; an operator makes one with: mgcluster invite " + cluster);
        }
        if (!parts.group(1).equals(cluster.value())) {
            throw new JoinRefused("the invitation is for cluster '" + parts.group(1) + "', not for '" + cluster
                    + "'; an operator makes another one with: mgcluster invite " + cluster);
        }
        if (!"https".equals(plane.getScheme()) && !isThisHost(plane)) {
            throw new JoinRefused("'" + plane + "' is not encrypted, and the answer contains a password; use https://");
        }
        final PinnedAuthority authority = new PinnedAuthority(parts.group(2) == null ? "" : parts.group(2));
        final JsonNode answer = ask(plane, token, LoginKey.open(loginKey), authority);
        write(PLANE_AUTHORITY, authority.found() == null ? "" : pem(authority.found()), "rw-r--r--");
        write(BROKER_AUTHORITY, answer.path("authority").asText(), "rw-r--r--");
        write("submission-keys.pub.json", answer.path("submissionKeys").asText(), "rw-r--r--");
        write("submission-keys.pub.pem", answer.path("submissionKeysPem").asText(), "rw-r--r--");
        write(LOGIN_FILE, login(answer.path("login").asText()), "rw-------");
        System.out.println(answer.path("brokers").asText() + " "
                + answer.path("partitions").asInt());
    }

    private static boolean isThisHost(final URI plane) {
        final String host = String.valueOf(plane.getHost());
        return host.equals("localhost") || host.equals("127.0.0.1");
    }

    private JsonNode ask(final URI plane, final String token, final LoginKey key, final PinnedAuthority authority)
            throws IOException, InterruptedException {
        final URI route =
                URI.create(plane.toString().replaceFirst("/+$", "") + "/api/v1/clusters/" + cluster + "/join");
        final HttpRequest request = HttpRequest.newBuilder(route)
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        JSON.createObjectNode().put("loginKey", key.publicJwk()).toString()))
                .build();
        try (HttpClient client = HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .sslContext(authority.context())
                .build()) {
            final HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            final JsonNode body = JSON.readTree(response.body());
            if (response.statusCode() != 200) {
                throw new JoinRefused(body.path("detail").asText("status " + response.statusCode()));
            }
            return body;
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        } catch (final IOException e) {
            throw new JoinRefused("no answer from " + route + ": " + reason(e)
                    + "; check the URL, the name in its certificate, and that" + " the service runs");
        }
    }

    private static String reason(final Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    /** The paths of the service's host become those of this one. */
    private String login(final String properties) {
        return properties.replaceAll(
                "(?m)^ssl\\.truststore\\.location=.*$",
                Matcher.quoteReplacement("ssl.truststore.location=" + folder.resolve(BROKER_AUTHORITY)));
    }

    private static String pem(final X509Certificate certificate) {
        try {
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("a certificate from a connection has an encoding", e);
        }
    }

    private void write(final String name, final String text, final String mode) throws IOException {
        Files.createDirectories(folder);
        final Path draft = Files.createTempFile(
                folder,
                ".",
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(draft, text);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(mode));
        Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
