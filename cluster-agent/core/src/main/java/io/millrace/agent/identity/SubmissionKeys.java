package io.millrace.agent.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of submit-service, read from its JWK set file: at the first question, and again whenever a key id is asked for that
 * is not known and the file has changed since. So a new key needs no restart, and unknown ids cost a look at the file's time only.
 */
final class SubmissionKeys {

    private final Path file;
    private Map<String, ECPublicKey> known = Map.of();
    private @Nullable FileTime read;

    SubmissionKeys(final Path file) {
        this.file = file;
    }

    /**
     * The key of this id, null if the file has none.
     *
     * @throws IOException if the file cannot be read or is no JWK set; what was read before stays in use for known ids
     */
    synchronized @Nullable ECPublicKey named(final String id) throws IOException {
        final ECPublicKey key = known.get(id);
        if (key != null) {
            return key;
        }
        final FileTime changed = Files.getLastModifiedTime(file);
        if (!changed.equals(read)) {
            known = read(file);
            read = changed;
        }
        return known.get(id);
    }

    private static Map<String, ECPublicKey> read(final Path file) throws IOException {
        try {
            final Map<String, ECPublicKey> keys = new HashMap<>();
            for (final var jwk :
                    JWKSet.parse(Files.readString(file, StandardCharsets.UTF_8)).getKeys()) {
                if (jwk instanceof ECKey ec && Curve.P_256.equals(ec.getCurve()) && ec.getKeyID() != null) {
                    keys.put(ec.getKeyID(), ec.toECPublicKey());
                }
            }
            return keys;
        } catch (final ParseException | JOSEException e) {
            throw new IOException("'" + file + "' is not a JWK set: " + e.getMessage(), e);
        }
    }
}
