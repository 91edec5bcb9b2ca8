package io.millrace.model.job;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/** The digest that the signature of a submission covers: everything that determines which programs run with the rights of its owner. */
public final class SignedDigest {

    /** Occurs in no UTF-8 text. */
    private static final byte VARIABLE = (byte) 0xFF;

    private SignedDigest() {}

    /**
     * SHA-256 in lower-case hexadecimal over the script's bytes (UTF-8), one zero byte, the make step's bytes (none without a make step),
     * for each argument of the script one zero byte and its bytes, and for each variable, in the order of their names, one byte FF and
     * {@code NAME=value}. No text contains a zero byte or FF, so text cannot be moved from one to the other without changing the digest.
     */
    public static String of(final JobSpec spec) {
        final MessageDigest sha = sha256();
        update(sha, spec.script());
        sha.update((byte) 0);
        if (spec.make() != null) {
            update(sha, spec.make());
        }
        if (spec.arguments() != null) {
            for (final String argument : spec.arguments()) {
                sha.update((byte) 0);
                update(sha, argument);
            }
        }
        new TreeMap<>(spec.environment()).forEach((name, value) -> {
            sha.update(VARIABLE);
            update(sha, name + "=" + value);
        });
        return HexFormat.of().formatHex(sha.digest());
    }

    private static void update(final MessageDigest sha, final String text) {
        sha.update(text.getBytes(StandardCharsets.UTF_8));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
