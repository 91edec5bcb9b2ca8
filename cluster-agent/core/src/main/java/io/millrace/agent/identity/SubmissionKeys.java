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
 * The public keys of submit-service from its JWK set file. The file is read on first use, and again if a key id is unknown and the file has
 * changed. A new key therefore needs no restart, and an unknown id costs only one check of the modification time.
 */
final class SubmissionKeys {

    private final Path file;
    private Map<String, ECPublicKey> known = Map.of();
    private @Nullable FileTime read;

    SubmissionKeys(final Path file) {
        this.file = file;
    }

    /**
     * The key with this id; null if the file has none.
     *
     * @throws IOException if the file cannot be read or is not a JWK set; keys that were read before stay valid
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
