package io.millrace.submit.handlers;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A shared secret of sender and receiver as in Standard Webhooks 1.0.0. Never printed. */
final class WebhookSecret {

    private static final String PREFIX = "whsec_";
    private static final String METHOD = "HmacSHA256";
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;

    private final SecretKeySpec key;

    private WebhookSecret(final byte[] key) {
        this.key = new SecretKeySpec(key, METHOD);
    }

    /**
     * @param text {@code whsec_} and 24 to 64 bytes in base64
     * @throws IllegalArgumentException if the format is invalid; the message does not contain the text
     */
    static WebhookSecret of(final String text) {
        final String encoded = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "";
        final byte[] bytes = decoded(encoded);
        if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a webhook secret must be 'whsec_' followed by " + MIN_BYTES + " to "
                    + MAX_BYTES + " bytes in base64; create one with echo whsec_$(openssl rand -base64 32)");
        }
        return new WebhookSecret(bytes);
    }

    private static byte[] decoded(final String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0]; // the decoder's message would contain a part of the secret
        }
    }

    /** Signs id, time and body, separated by dots. */
    String sign(final String id, final long timestamp_s, final byte[] body) {
        try {
            final Mac mac = Mac.getInstance(METHOD);
            mac.init(key);
            mac.update((id + "." + timestamp_s + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(METHOD + " is not available in this JDK", e);
        }
    }

    @Override
    public String toString() {
        return "webhook secret";
    }
}
