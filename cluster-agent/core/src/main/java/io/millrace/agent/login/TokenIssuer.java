package io.millrace.agent.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.UUID;

/** Issues login tokens: JWT, ES256, {@code iss=agent/<cluster>}, {@code sub=<user>}, {@code aud=millrace}. */
public final class TokenIssuer {

    /** Maximum validity of a token. */
    public static final Duration LONGEST_LIFE = Duration.ofHours(12);

    private final ClusterId cluster;
    private final LoginKey key;
    private final Duration life;
    private final InstantSource clock;

    /** @param life validity of a token, at most {@link #LONGEST_LIFE} */
    public TokenIssuer(final ClusterId cluster, final LoginKey key, final Duration life, final InstantSource clock) {
        if (life.isNegative() || life.isZero() || life.compareTo(LONGEST_LIFE) > 0) {
            throw new IllegalArgumentException(
                    "the validity of a login token is at most " + LONGEST_LIFE + ", not " + life);
        }
        this.cluster = cluster;
        this.key = key;
        this.life = life;
        this.clock = clock;
    }

    String tokenFor(final UserName user) {
        final Instant now = clock.instant();
        final JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer("agent/" + cluster)
                .subject(user.value())
                .audience("millrace")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(life)))
                .jwtID(UUID.randomUUID().toString())
                .build();
        final JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(JOSEObjectType.JWT)
                .keyID(key.pair().getKeyID())
                .build();
        try {
            final SignedJWT token = new SignedJWT(header, claims);
            token.sign(new ECDSASigner(key.pair()));
            return token.serialize();
        } catch (final JOSEException e) {
            throw new IllegalStateException("the login key cannot sign", e);
        }
    }
}
