package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.submit.SubmitSettings;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/** Signs what an agent may do in a user's name: this job, these scripts, until then. */
@Startup
@ApplicationScoped
public class SubmissionSigner {

    private final ECKey key;
    private final Duration life;

    SubmissionSigner(final SubmitSettings settings) {
        this.key = SubmissionKeyFile.in(settings.keyDir());
        this.life = settings.signatureLife();
    }

    /**
     * A compact JWS (ES256) with the claims sub, job, digest, iat, exp.
     *
     * @param digest of script and make step, see {@code Digests.ofScripts}
     */
    public String sign(final UserName owner, final GlobalJobId job, final String digest, final Instant now) {
        return sign(owner, job, digest, now, life);
    }

    /** @param good how long the signature is good */
    public String sign(
            final UserName owner, final GlobalJobId job, final String digest, final Instant now, final Duration good) {
        final JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build();
        final JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .subject(owner.value())
                .claim("job", job.value())
                .claim("digest", digest)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(good)))
                .build();
        final SignedJWT jwt = new SignedJWT(header, claims);
        try {
            jwt.sign(new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException("the submission key cannot sign", e);
        }
        return jwt.serialize();
    }
}
