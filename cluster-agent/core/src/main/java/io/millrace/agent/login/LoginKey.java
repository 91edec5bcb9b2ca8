package io.millrace.agent.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.millrace.model.ClusterId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.util.Set;

/** The key pair (ES256) that signs the login tokens of a cluster. Its key id is its thumbprint, so a new key has a new id. */
public final class LoginKey {

    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOR_ALL = PosixFilePermissions.fromString("rw-r--r--");

    private final ECKey pair;

    private LoginKey(final ECKey pair) {
        this.pair = pair;
    }

    /**
     * Reads the key pair (a JWK). If the file does not exist, creates a key pair and writes it with mode 0600.
     *
     * @throws UncheckedIOException if the file cannot be read or written, does not contain such a key, or is readable by others
     */
    public static LoginKey open(final Path file) {
        try {
            if (!Files.exists(file)) {
                final ECKey fresh = generate();
                write(file, fresh.toJSONString(), OURS_ALONE);
                return new LoginKey(fresh);
            }
            return new LoginKey(read(file));
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot use the login key '" + file + "': " + e.getMessage(), e);
        }
    }

    private static ECKey read(final Path file) throws IOException {
        final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (!OURS_ALONE.containsAll(mode)) {
            throw new IOException("its mode is " + PosixFilePermissions.toString(mode)
                    + ", so others may know the key; make a new one: remove the file and start the agent again");
        }
        try {
            final ECKey key = ECKey.parse(Files.readString(file, StandardCharsets.UTF_8));
            if (!key.isPrivate() || !Curve.P_256.equals(key.getCurve()) || key.getKeyID() == null) {
                throw new IOException("not a private P-256 key with an id; remove the file and restart the agent");
            }
            return key;
        } catch (final ParseException e) {
            throw new IOException("not a JWK; remove the file and restart the agent", e);
        }
    }

    private static ECKey generate() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .keyIDFromThumbprint(true)
                    .generate();
        } catch (final JOSEException e) {
            throw new IllegalStateException("every JDK has P-256", e);
        }
    }

    /** Writes the public key to {@code <folder>/<cluster>.pub.json} (JWK, readable by all), replacing the file atomically. */
    public void publish(final Path folder, final ClusterId cluster) {
        final Path file = folder.resolve(cluster + ".pub.json");
        try {
            write(file, pair.toPublicJWK().toJSONString(), FOR_ALL);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot publish the login key as '" + file + "': " + e.getMessage(), e);
        }
    }

    /** The public key (JWK), as submit-service trusts it. */
    public String publicJwk() {
        return pair.toPublicJWK().toJSONString();
    }

    private static void write(final Path file, final String text, final Set<PosixFilePermission> mode)
            throws IOException {
        final Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        final Path draft = Files.createTempFile(
                folder, "." + file.getFileName(), ".new", PosixFilePermissions.asFileAttribute(OURS_ALONE));
        try {
            Files.writeString(draft, text, StandardCharsets.UTF_8);
            Files.setPosixFilePermissions(draft, mode);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    ECKey pair() {
        return pair;
    }
}
