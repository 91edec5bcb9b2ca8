package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.util.Base64;
import java.util.Date;
import java.util.EnumSet;
import java.util.Set;

/** The file with the key pair that signs submissions. */
final class SubmissionKeyFile {

    static final String PRIVATE = "submission-key.json";
    static final String PUBLIC = "submission-keys.pub.json";
    static final String PUBLIC_PEM = "submission-keys.pub.pem";

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private static final Set<PosixFilePermission> WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private SubmissionKeyFile() {}

    /**
     * Reads the key pair of a folder or creates it, and writes the public key files.
     *
     * @throws IllegalStateException if others can read or replace the key, or if it is not a valid P-256 key
     */
    static ECKey in(final Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder);
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            requirePrivate(folder);
            final Path file = folder.resolve(PRIVATE);
            if (!Files.exists(file)) {
                make(folder, file);
            }
            final ECKey key = read(file);
            publish(folder, key);
            return key;
        } catch (IOException e) {
            throw new UncheckedIOException("the submission key in '" + folder + "' cannot be read or created", e);
        }
    }

    /** Creates the file by a hard link, which succeeds for only one of several starting instances. */
    private static void make(final Path folder, final Path file) throws IOException {
        final Path generated = write(folder, generated().toJSONString(), "rw-------");
        try {
            Files.createLink(file, generated);
        } catch (FileAlreadyExistsException e) {
            // created by another instance
        } finally {
            Files.delete(generated);
        }
    }

    private static void requirePrivate(final Path folder) throws IOException {
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        if (permissions.stream().anyMatch(WRITE::contains)) {
            throw new IllegalStateException("'" + folder + "' is writable by other users ("
                    + PosixFilePermissions.toString(permissions)
                    + "), who could replace the key that signs submissions; run chmod go-w");
        }
    }

    private static ECKey read(final Path file) throws IOException {
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.stream().anyMatch(OTHERS::contains)) {
            throw new IllegalStateException(
                    "'" + file + "' is accessible to other users (" + PosixFilePermissions.toString(permissions)
                            + "); run chmod 600, or delete it to create a new key");
        }
        try {
            final ECKey key = ECKey.parse(Files.readString(file));
            if (!Curve.P_256.equals(key.getCurve()) || !key.isPrivate() || key.getKeyID() == null) {
                throw new IllegalStateException("'" + file
                        + "' does not contain a private P-256 key with an id; delete it to create a new one");
            }
            final Date expiry = key.getExpirationTime();
            if (expiry != null && expiry.before(new Date())) {
                throw new IllegalStateException("the key in '" + file + "' expired at " + expiry.toInstant()
                        + "; delete it to create a new one");
            }
            return key;
        } catch (ParseException e) {
            throw new IllegalStateException(
                    "'" + file + "' does not contain an EC key; delete it to create a new one", e);
        }
    }

    /** Agents read the JWK set, the helper that changes the user reads PEM. */
    private static void publish(final Path folder, final ECKey key) throws IOException {
        publish(folder, PUBLIC, new JWKSet(key.toPublicJWK()).toString(true));
        publish(folder, PUBLIC_PEM, pem(key));
    }

    private static String pem(final ECKey key) {
        try {
            return "-----BEGIN PUBLIC KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'})
                            .encodeToString(key.toECPublicKey().getEncoded())
                    + "\n-----END PUBLIC KEY-----\n";
        } catch (JOSEException e) {
            throw new IllegalStateException("the public key cannot be encoded", e);
        }
    }

    private static void publish(final Path folder, final String name, final String text) throws IOException {
        final Path file = folder.resolve(name);
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return;
        }
        final Path generated = write(folder, text, "rw-r--r--");
        Files.move(generated, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path write(final Path folder, final String text, final String permissions) throws IOException {
        final Path file = Files.createTempFile(
                folder,
                "new-",
                ".json",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private static ECKey generated() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .keyIDFromThumbprint(true)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("P-256 keys are not available in this JDK", e);
        }
    }
}
