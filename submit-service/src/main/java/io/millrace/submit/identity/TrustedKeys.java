package io.millrace.submit.identity;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.millrace.submit.SubmitSettings;
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
import org.jboss.logging.Logger;

/** The public keys of the login endpoints, from a folder that is read again when a key is not known. */
@ApplicationScoped
class TrustedKeys {

    private static final Logger LOG = Logger.getLogger(TrustedKeys.class);
    private static final String SUFFIX = ".pub.json";
    private static final int MAX_FILE_BYTES = 64 * 1024;

    private final Path folder;
    private final Duration interval;
    private final Clock clock;
    private volatile Map<String, TrustedKey> keys = Map.of();
    private volatile Instant lastRead = Instant.EPOCH;

    /** A key and the only issuer whose tokens it may sign: a file {@code alpha.pub.json} is the key of {@code agent/alpha}. */
    record TrustedKey(ECKey key, String issuer) {}

    TrustedKeys(final SubmitSettings settings, final Clock clock) {
        this.folder = settings.trustedKeysDir();
        this.interval = settings.trustedKeysInterval();
        this.clock = clock;
    }

    /** Whether the key can be given without reading files. */
    boolean knows(final String keyId) {
        return keys.containsKey(keyId);
    }

    Optional<TrustedKey> find(final String keyId) {
        if (!keys.containsKey(keyId)) {
            readAgain();
        }
        return Optional.ofNullable(keys.get(keyId));
    }

    private synchronized void readAgain() {
        final Instant now = clock.instant();
        if (now.isBefore(lastRead.plus(interval))) {
            return; // who sends nonsense cannot keep the disk busy
        }
        lastRead = now;
        final Map<String, TrustedKey> found = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (final Path file : files) {
                read(file).forEach(key -> found.put(key.getKeyID(), new TrustedKey(key, issuer(file))));
            }
        } catch (NoSuchFileException e) {
            LOG.warnf("the folder of trusted keys '%s' does not exist: nobody can log in until it does", folder);
        } catch (IOException e) {
            LOG.warnf(
                    e,
                    "the folder of trusted keys '%s' cannot be read; keeping the %d known keys",
                    folder,
                    keys.size());
            return;
        }
        keys = Map.copyOf(found);
    }

    private static String issuer(final Path file) {
        final String name = String.valueOf(file.getFileName());
        return "agent/" + name.substring(0, name.length() - SUFFIX.length());
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
            LOG.warnf("trusted key '%s' cannot be used: %s", file, e.getMessage());
            return List.of();
        }
    }

    private static boolean usable(final JWK key) {
        return key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve()) && ec.getKeyID() != null;
    }
}
