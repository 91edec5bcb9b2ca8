package io.millrace.model.authorization;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;

/**
 * An authorization with its signature (ECDSA with P-256 and SHA-256, in DER). As one text: both in base64url without padding, joined by a
 * dot.
 */
public record SignedAuthorization(Authorization authorization, byte[] text, byte[] signature) {

    private static final String ALGORITHM = "SHA256withECDSA";
    private static final int MAX_LENGTH = 32 * 1024;

    /** Signs it. */
    public static String sign(final Authorization authorization, final PrivateKey key) {
        try {
            final byte[] text = authorization.text().getBytes(StandardCharsets.UTF_8);
            final Signature signer = Signature.getInstance(ALGORITHM);
            signer.initSign(key);
            signer.update(text);
            final Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
            return base64.encodeToString(text) + "." + base64.encodeToString(signer.sign());
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("the submission key cannot sign", e);
        }
    }

    /** @throws IllegalArgumentException if it is not an authorization with a signature; whether the signature is valid is not checked */
    public static SignedAuthorization of(final String value) {
        final int dot = value.indexOf('.');
        if (dot < 1 || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("expected a text and its signature, joined by a dot");
        }
        final byte[] text = Base64.getUrlDecoder().decode(value.substring(0, dot));
        final byte[] signature = Base64.getUrlDecoder().decode(value.substring(dot + 1));
        try {
            return new SignedAuthorization(
                    Authorization.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(text))
                            .toString()),
                    text,
                    signature);
        } catch (final CharacterCodingException e) {
            throw new IllegalArgumentException("the signed text is not UTF-8", e);
        }
    }

    /** Whether the owner of this key has signed it. */
    public boolean isBy(final PublicKey key) {
        try {
            final Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            verifier.update(text);
            return verifier.verify(signature);
        } catch (final GeneralSecurityException e) {
            return false; // not a signature of this form
        }
    }
}
