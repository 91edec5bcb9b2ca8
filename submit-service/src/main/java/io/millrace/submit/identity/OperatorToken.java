package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.UserName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;

/**
 * Makes the first tokens of a site, before any cluster has joined whose login could vouch for an operator. Its key is the issuer {@code
 * plane}; only root on the host of the service can use it ({@code millrace-setup operator}).
 */
public final class OperatorToken {

    private static final Duration LIFETIME = Duration.ofHours(12);

    private OperatorToken() {}

    /**
     * Prints a token, or the public key.
     *
     * @param args the folder of the key pair, which is created, then the user's name, or nothing for the public key
     */
    public static void main(final String... args) throws IOException, JOSEException {
        final Path folder = Path.of(args[0]);
        final ECKey key = SubmissionKeyFile.in(folder);
        System.out.println(
                args.length > 1
                        ? token(key, UserName.of(args[1]), Instant.now())
                        : key.toPublicJWK().toJSONString());
    }

    private static String token(final ECKey key, final UserName user, final Instant now) throws JOSEException {
        final JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer("agent/plane")
                .subject(user.value())
                .audience("millrace")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFETIME)))
                .jwtID(UUID.randomUUID().toString())
                .build();
        final SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(JOSEObjectType.JWT)
                        .keyID(key.getKeyID())
                        .build(),
                claims);
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }
}
