package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.authorization.SignedAuthorization;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.config.SubmitSettings;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;

/** Signs what users have authorized: submissions, dry runs, and requests to read files. Agents act as a user only with a signature. */
@Startup
@ApplicationScoped
public class SubmissionSigner {

    /** Validity of the signature of a dry run. */
    private static final Duration DRY_RUN = Duration.ofMinutes(2);

    private final String id;
    private final PrivateKey key;
    private final Duration start;

    SubmissionSigner(final SubmitSettings settings) {
        final ECKey pair = SubmissionKeyFile.in(settings.keyDir());
        this.id = pair.getKeyID();
        this.start = settings.signatureLifetime();
        try {
            this.key = pair.toPrivateKey();
        } catch (JOSEException e) {
            throw new IllegalStateException("the submission key cannot sign", e);
        }
    }

    /** Signs a submission. */
    public String submission(final Authorization.Origin of, final JobSpec spec, final Instant now) {
        return SignedAuthorization.sign(
                Authorization.submission(
                        id, of, spec, now.plus(start), now.plus(SubmitSettings.COPY_SIGNATURE_LIFETIME)),
                key);
    }

    /** Signs a dry run on one cluster. */
    public String dryRun(final Authorization.Origin of, final JobSpec spec, final Instant now) {
        return SignedAuthorization.sign(Authorization.dryRun(id, of, spec, now.plus(DRY_RUN)), key);
    }

    /** Signs a request to read a file, valid as long as the request. */
    public FileRequest sign(final FileRequest request) {
        return request.signed(SignedAuthorization.sign(Authorization.fileRead(id, request), key));
    }
}
