package io.millrace.submit.joining;

import io.millrace.model.ClusterId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The token of an invitation: {@code mgi.<cluster>.<secret>.<authority>}. It is only good for the cluster that it names.
 *
 * @param secret 256 random bits, in base64url
 * @param authority SHA-256 of the certificate that signed that of this service, or of its own; empty without TLS. The agent accepts no other one.
 */
record Invitation(ClusterId cluster, String secret, String authority) {

    private static final Pattern TOKEN =
            Pattern.compile("mgi\\.([a-z][a-z0-9-]*)\\.([A-Za-z0-9_-]{43})\\.([0-9a-f]{64})?");

    static Invitation of(final ClusterId cluster, final String authority) {
        final byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return new Invitation(cluster, Base64.getUrlEncoder().withoutPadding().encodeToString(random), authority);
    }

    /** Empty if the text is not a token. */
    static Optional<Invitation> parse(final String token) {
        final Matcher matcher = TOKEN.matcher(token);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        final String authority = matcher.group(3);
        return Optional.of(
                new Invitation(ClusterId.of(matcher.group(1)), matcher.group(2), authority == null ? "" : authority));
    }

    String token() {
        return "mgi." + cluster + "." + secret + "." + authority;
    }

    /** What is stored: it shows nothing of the secret, and belongs to this cluster. */
    String hash() {
        try {
            final byte[] text = (cluster + ":" + secret).getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "invitation of " + cluster;
    }
}
