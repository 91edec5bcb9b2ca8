package io.millrace.submit.joining;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The open invitations, at most one for each cluster: a file with the hash of its secret and its expiry. */
final class Invitations {

    static final Duration LIFETIME = Duration.ofHours(24);

    private final Path folder;

    Invitations(final Path folder) {
        this.folder = folder;
    }

    /** A new invitation replaces an earlier one of the cluster. */
    Instant open(final Invitation invitation, final UserName author, final Instant now) {
        final Instant expires = now.plus(LIFETIME);
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            final Path draft = Files.createTempFile(folder, ".", ".new");
            Files.writeString(draft, invitation.hash() + " " + expires + " " + author + "\n");
            Files.move(
                    draft,
                    file(invitation.cluster()),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            return expires;
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot store the invitation in '" + folder + "'", e);
        }
    }

    boolean isOpen(final Invitation invitation, final Instant now) {
        try {
            return isValid(Files.readString(file(invitation.cluster())), invitation, now);
        } catch (final NoSuchFileException e) {
            return false;
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read the invitations in '" + folder + "'", e);
        }
    }

    /** True for exactly one caller, also if several present the invitation at the same time. */
    boolean use(final Invitation invitation, final Instant now) {
        final Path used = folder.resolve("." + UUID.randomUUID() + ".used");
        try {
            if (!isOpen(invitation, now)) {
                return false;
            }
            Files.move(file(invitation.cluster()), used, StandardCopyOption.ATOMIC_MOVE);
            try {
                // It may have been replaced in between.
                return isValid(Files.readString(used), invitation, now);
            } finally {
                Files.delete(used);
            }
        } catch (final NoSuchFileException e) {
            return false;
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot use the invitation in '" + folder + "'", e);
        }
    }

    private static boolean isValid(final String stored, final Invitation invitation, final Instant now) {
        final String[] words = stored.strip().split(" ", 3);
        return words.length == 3
                && MessageDigest.isEqual(bytes(words[0]), bytes(invitation.hash()))
                && now.isBefore(Instant.parse(words[1]));
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private Path file(final ClusterId cluster) {
        return folder.resolve(cluster.value());
    }
}
