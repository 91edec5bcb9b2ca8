package io.millrace.submit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.ConfigProvider;

/** Valid and invalid login tokens of cluster alpha. */
public final class TestTokens {

    private TestTokens() {}

    public static String of(final String user) {
        return signed(alphasKey(), claims(user).build());
    }

    public static String with(final String user, final UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(alphasKey(), change.apply(claims(user)).build());
    }

    public static String signed(final ECKey key, final JWTClaimsSet claims) {
        try {
            final SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .type(JOSEObjectType.JWT)
                            .keyID(key.getKeyID())
                            .build(),
                    claims);
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public static JWTClaimsSet.Builder claims(final String user) {
        final Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer("agent/alpha")
                .audience("millrace")
                .subject(user)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(3600)));
    }

    public static String ofBeta(final String user) {
        return signed(key("beta"), claims(user).issuer("agent/beta").build());
    }

    public static ECKey alphasKey() {
        return key("alpha");
    }

    private static ECKey key(final String cluster) {
        try {
            return ECKey.parse(Files.readString(trusted().resolveSibling(cluster + ".json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Path trusted() {
        return ConfigProvider.getConfig().getValue("millrace.submit.trusted-keys-dir", Path.class);
    }
}
