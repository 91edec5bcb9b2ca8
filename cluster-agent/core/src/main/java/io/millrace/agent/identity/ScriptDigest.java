package io.millrace.agent.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The digest of a submission's scripts, which its signature covers. */
final class ScriptDigest {

    private ScriptDigest() {}

    /**
     * SHA-256 in lower-case hexadecimal over the script's bytes (UTF-8), one zero byte, and the make step's bytes (none without a make
     * step). Scripts contain no zero bytes, so text cannot be moved from one script to the other without changing the digest.
     */
    static String of(final String script, final @Nullable String make) {
        final MessageDigest sha = sha256();
        sha.update(script.getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
        if (make != null) {
            sha.update(make.getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
