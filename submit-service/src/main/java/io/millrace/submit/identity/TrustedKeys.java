package io.millrace.submit.identity;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.SecurityContext;
import io.millrace.model.ClusterId;
import io.millrace.submit.config.SubmitSettings;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The public keys of the login endpoints. The folder is read again when a token names an unknown key. */
@ApplicationScoped
class TrustedKeys {

    private static final Logger LOG = LoggerFactory.getLogger(TrustedKeys.class);
    private static final String SUFFIX = ".pub.json";
    private static final int MAX_FILE_BYTES = 64 * 1024;

    private final Path folder;
    private final Duration interval;
    private final Clock clock;
    private volatile Map<String, TrustedKey> keys = Map.of();
    private volatile Instant lastRead = Instant.EPOCH;

    /** A key and the only issuer that may use it: {@code alpha.pub.json} contains the key of {@code agent/alpha}. */
    record TrustedKey(ECKey key, ClusterId issuer) implements SecurityContext {

        /** What the claim {@code iss} of its tokens must be. */
        String issuerClaim() {
            return "agent/" + issuer;
        }
    }

    TrustedKeys(final SubmitSettings settings, final Clock clock) {
        this.folder = settings.trustedKeysDir();
        this.interval = settings.trustedKeysInterval();
        this.clock = clock;
    }

    /** Whether the key is known without reading files. */
    boolean knows(final String keyId) {
        return keys.containsKey(keyId);
    }

    /** Whether this key of this issuer is still trusted, as of the last read. */
    boolean trusts(final TrustedKey key) {
        return key.equals(keys.get(key.key().getKeyID()));
    }

    Optional<TrustedKey> find(final String keyId) {
        if (!keys.containsKey(keyId)) {
            reload();
        }
        return Optional.ofNullable(keys.get(keyId));
    }

    private synchronized void reload() {
        final Instant now = clock.instant();
        if (now.isBefore(lastRead.plus(interval))) {
            return; // limits disk reads caused by invalid tokens
        }
        lastRead = now;
        final Map<String, TrustedKey> found = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (final Path file : files) {
                issuer(file)
                        .ifPresent(issuer ->
                                read(file).forEach(key -> found.put(key.getKeyID(), new TrustedKey(key, issuer))));
            }
        } catch (NoSuchFileException e) {
            LOG.atWarn().addKeyValue("folder", folder).log("folder of trusted keys not found; all logins are refused");
        } catch (IOException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("folder", folder)
                    .addKeyValue("keys", keys.size())
                    .log("folder of trusted keys cannot be read; using the known keys");
            return;
        }
        keys = Map.copyOf(found);
    }

    private static Optional<ClusterId> issuer(final Path file) {
        final String name = String.valueOf(file.getFileName());
        try {
            return Optional.of(ClusterId.of(name.substring(0, name.length() - SUFFIX.length())));
        } catch (IllegalArgumentException e) {
            ignored(file, e);
            return Optional.empty();
        }
    }

    private static List<ECKey> read(final Path file) {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new ParseException("more than " + MAX_FILE_BYTES + " bytes", 0);
            }
            final String text = Files.readString(file);
            final List<JWK> keys =
                    text.contains("\"keys\"") ? JWKSet.parse(text).getKeys() : List.of(JWK.parse(text));
            return keys.stream()
                    .filter(TrustedKeys::usable)
                    .map(key -> key.toECKey().toPublicJWK())
                    .toList();
        } catch (IOException | ParseException e) {
            ignored(file, e);
            return List.of();
        }
    }

    private static void ignored(final Path file, final Exception e) {
        LOG.atWarn()
                .addKeyValue("file", file)
                .addKeyValue("reason", e.getMessage())
                .log("trusted key ignored");
    }

    private static boolean usable(final JWK key) {
        return key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve()) && ec.getKeyID() != null;
    }
}
