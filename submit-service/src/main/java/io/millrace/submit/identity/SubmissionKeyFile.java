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
import java.util.EnumSet;
import java.util.Set;

/** The key pair of this site's submissions, on disk. */
final class SubmissionKeyFile {

    static final String PRIVATE = "submission-key.json";
    static final String PUBLIC = "submission-keys.pub.json";

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private SubmissionKeyFile() {}

    /** Reads the key of this folder, or makes one; the public part lies beside it afterwards. */
    static ECKey in(final Path folder) {
        try {
            Files.createDirectories(folder);
            final Path file = folder.resolve(PRIVATE);
            if (!Files.exists(file)) {
                make(folder, file);
            }
            final ECKey key = read(file);
            publish(folder, key);
            return key;
        } catch (IOException e) {
            throw new UncheckedIOException("the submission key in '" + folder + "' cannot be read or made", e);
        }
    }

    /** By a link, which of two instances that start together only one can make; the other takes what is there. */
    private static void make(final Path folder, final Path file) throws IOException {
        final Path fresh = write(folder, fresh().toJSONString(), "rw-------");
        try {
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            // made by another instance meanwhile: that one is read below
        } finally {
            Files.delete(fresh);
        }
    }

    private static ECKey read(final Path file) throws IOException {
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.stream().anyMatch(OTHERS::contains)) {
            throw new IllegalStateException("'" + file + "' can be read or written by others ("
                    + PosixFilePermissions.toString(permissions) + "): chmod 600 it, or delete it to get a new key");
        }
        try {
            return ECKey.parse(Files.readString(file));
        } catch (ParseException e) {
            throw new IllegalStateException("'" + file + "' holds no EC key: delete it to get a new one", e);
        }
    }

    private static void publish(final Path folder, final ECKey key) throws IOException {
        final Path file = folder.resolve(PUBLIC);
        final String text = new JWKSet(key.toPublicJWK()).toString(true);
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return;
        }
        final Path fresh = write(folder, text, "rw-r--r--");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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

    private static ECKey fresh() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .keyIDFromThumbprint(true)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("this JDK cannot make P-256 keys", e);
        }
    }
}
