package io.millrace.submit.joining;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import io.millrace.model.ClusterId;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Invites clusters, and lets each that presents its invitation join once. */
@ApplicationScoped
public class JoinCluster {

    /** The issuer of the tokens that millrace-setup makes for operators, so no cluster can have this name. */
    private static final ClusterId PLANE = ClusterId.of("plane");

    private static final Logger LOG = LoggerFactory.getLogger(JoinCluster.class);
    private static final Duration ENROLMENT = Duration.ofSeconds(60);
    private static final long POLL_MS = 100;

    private final SubmitSettings settings;
    private final KafkaSettings kafka;
    private final Clock clock;

    JoinCluster(final SubmitSettings settings, final KafkaSettings kafka, final Clock clock) {
        this.settings = settings;
        this.kafka = kafka;
        this.clock = clock;
    }

    /** An invitation, whose token is shown once. */
    public record Invited(ClusterId cluster, String token, Instant expiresAt) {

        @Override
        public String toString() {
            return "invitation of " + cluster; // without the token
        }
    }

    /**
     * What an agent needs.
     *
     * @param login client properties of its account at the broker
     * @param authority certificates with which it verifies the broker (PEM); empty without TLS
     */
    public record Joined(
            ClusterId cluster,
            String brokers,
            int partitions,
            String login,
            String authority,
            String submissionKeys,
            String submissionKeysPem) {

        @Override
        public String toString() {
            return "account of " + cluster; // without the password
        }
    }

    /**
     * Makes an invitation; operators only.
     *
     * @param replace whether the cluster may have joined before: its new key and account then replace the earlier ones
     */
    public Invited invite(final Caller caller, final ClusterId cluster, final boolean replace) {
        caller.requireOperator("inviting a cluster");
        if (cluster.equals(PLANE)) {
            throw RequestRefused.invalid("cluster", "'plane' is the name of the service's own login; use another name");
        }
        if (!replace && Files.exists(trustedKey(cluster))) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "cluster '" + cluster
                            + "' has joined already; with --replace, its new key and account replace those"
                            + " in use");
        }
        final Invitation invitation = Invitation.of(cluster, authority());
        final Instant expires = invitations().open(invitation, caller.user(), clock.instant());
        LOG.atInfo()
                .addKeyValue("cluster", cluster)
                .addKeyValue("author", caller.user())
                .addKeyValue("until", expires)
                .log("cluster invited");
        return new Invited(cluster, invitation.token(), expires);
    }

    /** @throws RequestRefused (unauthenticated) if this is not an open invitation of this cluster */
    public void requireInvitation(final String cluster, final String token) {
        opened(cluster, token, false);
    }

    private void opened(final String cluster, final String token, final boolean use) {
        final Optional<Invitation> invitation = settings.joinDir()
                .flatMap(configured -> Invitation.parse(token))
                .filter(parsed -> parsed.cluster().value().equals(cluster));
        final boolean isOpen = invitation
                .map(one -> use
                        ? invitations().use(one, clock.instant())
                        : invitations().isOpen(one, clock.instant()))
                .orElse(false);
        if (!isOpen) {
            throw new RequestRefused(
                    RequestRefused.Kind.UNAUTHENTICATED,
                    "there is no such invitation of this cluster: it was used, has expired, or was replaced; ask an"
                            + " operator for a new one (mgcluster invite)");
        }
    }

    /**
     * Trusts the login key of the cluster and gets an account at the broker for its agent. The invitation is used up, also if this fails.
     *
     * @param loginKey public key of its login (JWK)
     */
    public Joined join(final ClusterId cluster, final String token, final String loginKey) {
        final ECKey key = key(loginKey);
        opened(cluster.value(), token, true);
        try {
            final String login = enrolled(cluster);
            trust(cluster, key);
            LOG.atInfo()
                    .addKeyValue("cluster", cluster)
                    .addKeyValue("key", key.getKeyID())
                    .log("cluster joined");
            return new Joined(
                    cluster,
                    kafka.bootstrapServers(),
                    kafka.partitions(),
                    login,
                    brokerAuthority(login),
                    Files.readString(settings.keyDir().resolve("submission-keys.pub.json")),
                    Files.readString(settings.keyDir().resolve("submission-keys.pub.pem")));
        } catch (final IOException e) {
            throw new UncheckedIOException("cluster '" + cluster + "' cannot join", e);
        }
    }

    private static ECKey key(final String loginKey) {
        try {
            final ECKey key = ECKey.parse(loginKey);
            if (!key.isPrivate()
                    && Curve.P_256.equals(key.getCurve())
                    && key.computeThumbprint().toString().equals(key.getKeyID())) {
                return key;
            }
        } catch (ParseException | JOSEException e) {
            // refused below
        }
        throw RequestRefused.invalid("loginKey", "must be a public P-256 key (JWK) whose kid is its thumbprint");
    }

    /** Asks the process that makes accounts, and waits for its answer. */
    private String enrolled(final ClusterId cluster) throws IOException {
        final byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        final String name = cluster + "." + HexFormat.of().formatHex(random);
        final Path request = folder().resolve("requests").resolve(name);
        final Path answer = folder().resolve("answers").resolve(name);
        Files.createFile(request);
        try {
            final long deadline = System.nanoTime() + ENROLMENT.toNanos();
            while (!Files.exists(answer)) {
                if (System.nanoTime() > deadline) {
                    throw new RequestRefused(
                            RequestRefused.Kind.UNAVAILABLE,
                            "the account of cluster '" + cluster + "' at the broker was not made within "
                                    + ENROLMENT.toSeconds()
                                    + " s; on the host of this service, see: systemctl status millrace-enrol; then"
                                    + " invite the cluster again");
                }
                Thread.sleep(POLL_MS);
            }
            return Files.readString(answer);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestRefused(RequestRefused.Kind.UNAVAILABLE, "the service stops; invite the cluster again");
        } finally {
            Files.deleteIfExists(request);
        }
    }

    private void trust(final ClusterId cluster, final ECKey key) throws IOException {
        final Path file = trustedKey(cluster);
        Files.createDirectories(settings.trustedKeysDir());
        final Path draft = Files.createTempFile(settings.trustedKeysDir(), ".", ".new");
        Files.writeString(draft, key.toJSONString());
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path trustedKey(final ClusterId cluster) {
        return settings.trustedKeysDir().resolve(cluster + ".pub.json");
    }

    private Invitations invitations() {
        return new Invitations(folder().resolve("invitations"));
    }

    private Path folder() {
        return settings.joinDir()
                .orElseThrow(() -> new RequestRefused(
                        RequestRefused.Kind.CONFLICT,
                        "clusters cannot join by invitation, because millrace.submit.join-dir is not set; set up the"
                                + " services with millrace-setup plane, or see the operator guide"));
    }

    /** The last certificate of this service's chain; empty without TLS. */
    private String authority() {
        return settings.tls().certificate().map(JoinCluster::fingerprint).orElse("");
    }

    private static String fingerprint(final Path chain) {
        try (var in = Files.newInputStream(chain)) {
            final List<? extends Certificate> certificates =
                    List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            final byte[] last = certificates.getLast().getEncoded();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(last));
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read the certificate '" + chain + "'", e);
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("'" + chain + "' is not a certificate", e);
        }
    }

    private static String brokerAuthority(final String login) throws IOException {
        final Properties properties = new Properties();
        properties.load(new java.io.StringReader(login));
        final String file = properties.getProperty("ssl.truststore.location");
        return file == null ? "" : Files.readString(Path.of(file));
    }
}
