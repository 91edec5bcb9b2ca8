package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.SignedDigest;
import io.millrace.submit.config.SubmitSettings;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/** Signs submissions, which authorizes an agent to run these scripts for their owner until an expiry, and requests to read files. */
@Startup
@ApplicationScoped
public class SubmissionSigner {

    private final JWSHeader header;
    private final JWSSigner signer;
    private final Duration lifetime;

    SubmissionSigner(final SubmitSettings settings) {
        final ECKey key = SubmissionKeyFile.in(settings.keyDir());
        this.header =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build();
        this.lifetime = settings.signatureLifetime();
        try {
            this.signer = new ECDSASigner(key);
        } catch (JOSEException e) {
            throw cannotSign(e);
        }
    }

    /**
     * Creates a compact JWS (ES256) with the claims sub, job, digest, iat and exp.
     *
     * @param digest of what runs, see {@link SignedDigest}
     */
    public String sign(final UserName owner, final GlobalJobId job, final String digest, final Instant now) {
        return sign(owner, job, digest, now, lifetime);
    }

    /** @param lifetime validity of the signature */
    public String sign(
            final UserName owner,
            final GlobalJobId job,
            final String digest,
            final Instant now,
            final Duration lifetime) {
        return sign(owner, job, "digest", digest, now, lifetime);
    }

    /** Signs a request to read a file, valid as long as the request. Its claim {@code read} makes it useless for a submission. */
    public FileRequest sign(final FileRequest request, final Instant now) {
        return request.signed(sign(
                request.owner(),
                request.job(),
                "read",
                request.signedText(),
                now,
                Duration.between(now, request.validUntil())));
    }

    private String sign(
            final UserName owner,
            final GlobalJobId job,
            final String claim,
            final String value,
            final Instant now,
            final Duration lifetime) {
        final JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .subject(owner.value())
                .claim("job", job.value())
                .claim(claim, value)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(lifetime)))
                .build();
        final SignedJWT jwt = new SignedJWT(header, claims);
        try {
            jwt.sign(signer);
        } catch (JOSEException e) {
            throw cannotSign(e);
        }
        return jwt.serialize();
    }

    private static IllegalStateException cannotSign(final JOSEException e) {
        return new IllegalStateException("the submission key cannot sign", e);
    }
}
