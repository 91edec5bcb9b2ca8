package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The public keys of the login endpoints, as of the last {@link #reload}. */
@ApplicationScoped
class TrustedKeys {

    private static final Logger LOG = LoggerFactory.getLogger(TrustedKeys.class);
    private static final String SUFFIX = ".pub.json";
    private static final int MAX_FILE_BYTES = 64 * 1024;

    private final Path folder;
    private volatile Map<String, TrustedKey> keys = Map.of();
    private Map<Path, KeyFile> files = Map.of();
    private boolean warned;

    private record KeyFile(
            FileTime changed, long size, @Nullable Object inode, List<TrustedKey> keys) {

        boolean isCurrent(final BasicFileAttributes now) {
            return now.lastModifiedTime().equals(changed) && now.size() == size && Objects.equals(now.fileKey(), inode);
        }
    }

    /** A key and the only issuer that may use it: {@code alpha.pub.json} contains the key of {@code agent/alpha}. */
    record TrustedKey(ECKey key, ClusterId issuer) implements SecurityContext {

        /** What the claim {@code iss} of its tokens must be. */
        String issuerClaim() {
            return "agent/" + issuer;
        }
    }

    TrustedKeys(final SubmitSettings settings) {
        this.folder = settings.trustedKeysDir();
    }

    /** Whether this key of this issuer is still trusted, as of the last read. */
    boolean trusts(final TrustedKey key) {
        return key.equals(keys.get(key.key().getKeyID()));
    }

    Optional<TrustedKey> find(final String keyId) {
        return Optional.ofNullable(keys.get(keyId));
    }

    /** Reads files that are new or have changed, so that a key is trusted or withdrawn without a restart. */
    synchronized void reload() {
        final Map<Path, KeyFile> found = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (final Path file : all) {
                current(file).ifPresent(content -> found.put(file, content));
            }
        } catch (NoSuchFileException e) {
            if (!files.isEmpty() || !warned) {
                LOG.atWarn()
                        .addKeyValue("folder", folder)
                        .log("folder of trusted keys not found; all logins are refused");
            }
            warned = true;
        } catch (IOException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("folder", folder)
                    .addKeyValue("keys", keys.size())
                    .log("folder of trusted keys cannot be read; using the known keys");
            return;
        }
        if (found.equals(files)) {
            return;
        }
        files = Map.copyOf(found);
        final Map<String, TrustedKey> byId = new HashMap<>();
        files.values()
                .forEach(file ->
                        file.keys().forEach(key -> byId.merge(key.key().getKeyID(), key, TrustedKeys::genuine)));
        keys = Map.copyOf(byId);
    }

    /** Of two keys with the same id, the one with this thumbprint, which is the id of each agent's key: no issuer displaces the key of another. */
    private static TrustedKey genuine(final TrustedKey one, final TrustedKey other) {
        try {
            return one.key().computeThumbprint().toString().equals(one.key().getKeyID()) ? one : other;
        } catch (JOSEException e) {
            return other;
        }
    }

    /** Empty if the file disappeared. */
    private Optional<KeyFile> current(final Path file) {
        try {
            final var now = Files.readAttributes(file, BasicFileAttributes.class);
            final KeyFile earlier = files.get(file);
            return Optional.of(
                    earlier != null && earlier.isCurrent(now)
                            ? earlier
                            : new KeyFile(now.lastModifiedTime(), now.size(), now.fileKey(), trusted(file)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<TrustedKey> trusted(final Path file) {
        return issuer(file)
                .map(issuer -> read(file).stream()
                        .map(key -> new TrustedKey(key, issuer))
                        .toList())
                .orElse(List.of());
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
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new ParseException("every user of this host can change it; run chmod o-w on it", 0);
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
