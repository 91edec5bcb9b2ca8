package io.millrace.story;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Reads and writes small text files. */
public final class Texts {

    private Texts() {}

    public static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        }
    }

    /** The text without its last line break; empty if the file does not exist. */
    public static String readIfThere(final Path file) {
        return Files.exists(file) ? read(file).strip() : "";
    }

    /** Makes an account the owner of a file or folder; requires root. */
    public static void giveTo(final String account, final Path path) {
        try {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(account));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot change the owner of '" + path + "' to " + account, e);
        }
    }

    public static Path write(final Path file, final String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().resolve("..").normalize());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write '" + file + "'", e);
        }
    }

    /** SHA-256 in hexadecimal. */
    public static String sha256(final String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no SHA-256", e);
        }
    }
}
