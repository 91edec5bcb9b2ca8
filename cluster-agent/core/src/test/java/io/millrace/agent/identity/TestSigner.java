package io.millrace.agent.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.authorization.SignedAuthorization;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.List;

/** Signs as submit-service does. */
public final class TestSigner {

    public final ECKey key;

    public TestSigner(final String id) {
        try {
            key = new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (final JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public String submission(
            final Authorization.Origin of, final JobSpec spec, final Instant until, final Instant copiesUntil) {
        return sign(Authorization.submission(key.getKeyID(), of, spec, until, copiesUntil));
    }

    public String dryRun(final Authorization.Origin of, final JobSpec spec, final Instant until) {
        return sign(Authorization.dryRun(key.getKeyID(), of, spec, until));
    }

    public FileRequest sign(final FileRequest request) {
        return request.signed(sign(Authorization.fileRead(key.getKeyID(), request)));
    }

    public String sign(final Authorization authorization) {
        return SignedAuthorization.sign(authorization, privateKey());
    }

    public PrivateKey privateKey() {
        try {
            return key.toPrivateKey();
        } catch (final JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the public keys as submit-service publishes them. */
    public static void publish(final Path file, final TestSigner... signers) throws IOException {
        Files.writeString(
                file,
                new JWKSet(List.of(signers).stream()
                                .<com.nimbusds.jose.jwk.JWK>map(signer -> signer.key)
                                .toList())
                        .toPublicJWKSet()
                        .toString());
    }
}
