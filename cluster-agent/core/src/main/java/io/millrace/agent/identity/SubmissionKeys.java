package io.millrace.agent.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of submit-service from its file: a JWK set, or PEM blocks. The file is read on first use, and again if a key id is unknown
 * and the file has changed. A new key therefore needs no restart, and an unknown id costs only one check of the modification time.
 *
 * <p>A file that others than its owner can replace is refused, and so is one with a key of another kind: with it, everybody could sign.
 */
final class SubmissionKeys {

    private static final String PEM_END = "-----END PUBLIC KEY-----";
    private static final Set<PosixFilePermission> WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path file;
    private Map<String, ECPublicKey> known = Map.of();
    private @Nullable FileTime read;

    SubmissionKeys(final Path file) {
        this.file = file;
    }

    /**
     * The key with this id; null if the file has none.
     *
     * @throws IOException if the file cannot be read, is writable by others, or is not a set of P-256 keys; keys that were read before stay
     *     valid
     */
    synchronized @Nullable ECPublicKey named(final String id, final Instant now) throws IOException {
        final ECPublicKey key = known.get(id);
        if (key != null) {
            return key;
        }
        final FileTime changed = Files.getLastModifiedTime(file);
        if (!changed.equals(read)) {
            known = read(file, now);
            read = changed;
        }
        return known.get(id);
    }

    private static Map<String, ECPublicKey> read(final Path file, final Instant now) throws IOException {
        requirePrivate(file);
        requirePrivate(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        try {
            final String text = Files.readString(file, StandardCharsets.UTF_8).strip();
            final Map<String, ECPublicKey> keys = new HashMap<>();
            for (final JWK jwk : text.startsWith("-----BEGIN")
                    ? pem(text)
                    : JWKSet.parse(text).getKeys()) {
                if (!(jwk instanceof ECKey ec) || !Curve.P_256.equals(ec.getCurve())) {
                    throw new IOException("'" + file + "' contains a key that is not an EC key of the curve P-256");
                }
                final Date expiry = ec.getExpirationTime();
                if (expiry == null || now.isBefore(expiry.toInstant())) {
                    keys.put(ec.computeThumbprint().toString(), ec.toECPublicKey());
                    if (ec.getKeyID() != null) {
                        keys.put(ec.getKeyID(), ec.toECPublicKey());
                    }
                }
            }
            if (keys.isEmpty()) {
                throw new IOException("'" + file + "' contains no valid key");
            }
            return keys;
        } catch (final ParseException | JOSEException e) {
            throw new IOException("'" + file + "' is neither a JWK set nor PEM: " + e.getMessage(), e);
        }
    }

    private static List<JWK> pem(final String text) throws IOException {
        final List<JWK> keys = new ArrayList<>();
        for (final String block : Arrays.asList(text.split(PEM_END))) {
            try {
                final byte[] der = Base64.getMimeDecoder()
                        .decode(block.replace("-----BEGIN PUBLIC KEY-----", "").strip());
                if (KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der))
                        instanceof ECPublicKey key) {
                    keys.add(new ECKey.Builder(Curve.forECParameterSpec(key.getParams()), key).build());
                }
            } catch (final GeneralSecurityException | IllegalArgumentException | IllegalStateException e) {
                throw new IOException("a PEM block is not a public EC key: " + e.getMessage(), e);
            }
        }
        return keys;
    }

    private static void requirePrivate(final Path path) throws IOException {
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        if (permissions.stream().anyMatch(WRITE::contains)) {
            throw new IOException("'" + path + "' is writable by others than its owner ("
                    + PosixFilePermissions.toString(permissions) + "); run chmod go-w");
        }
    }
}
