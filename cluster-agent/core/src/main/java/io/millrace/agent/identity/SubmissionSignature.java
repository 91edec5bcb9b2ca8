package io.millrace.agent.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.SignedDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;

/**
 * Checks the signature of a submission: a compact JWS with algorithm ES256 and the claims {@code sub} (owner), {@code job} (ULID),
 * {@code digest} (of what runs, see {@link SignedDigest}) and {@code exp}. A request to read a file has the claim {@code read} instead of
 * {@code digest}. Thread-safe.
 */
public final class SubmissionSignature {

    private static final String DIGEST = "digest";
    private static final String READ = "read";

    private final Path keysFile;
    private final SubmissionKeys keys;

    /** @param keysFile the JWK set that submit-service publishes ({@code submission-keys.pub.json}) */
    public SubmissionSignature(final Path keysFile) {
        this.keysFile = keysFile;
        this.keys = new SubmissionKeys(keysFile);
    }

    /**
     * Checks whether {@code owner} authorized these scripts for this job.
     *
     * @param jws the signature from the submission
     * @return empty if the signature is valid; otherwise a veto, which is permanent unless the key file is the cause
     */
    public Optional<Veto> verify(
            final String jws, final UserName owner, final GlobalJobId job, final JobSpec spec, final Instant now) {
        return verifyClaim(jws, owner, job, DIGEST, SignedDigest.of(spec), now);
    }

    /** Checks whether submit-service has authorized this request to read a file. A signature of a submission does not count, and vice versa. */
    public Optional<Veto> verify(final FileRequest request, final Instant now) {
        return verifyClaim(request.signature(), request.owner(), request.job(), READ, request.signedText(), now);
    }

    private Optional<Veto> verifyClaim(
            final String jws,
            final UserName owner,
            final GlobalJobId job,
            final String claim,
            final String expected,
            final Instant now) {
        try {
            final SignedJWT signed = SignedJWT.parse(jws);
            return keyOf(signed, job).or(() -> coverage(signed, owner, job, claim, expected, now));
        } catch (final ParseException e) {
            return no(
                    VetoCode.SIGNATURE_UNREADABLE,
                    "the signature of job " + job + " is not a compact JWS; submit the job again");
        }
    }

    private Optional<Veto> keyOf(final SignedJWT signed, final GlobalJobId job) {
        if (!JWSAlgorithm.ES256.equals(signed.getHeader().getAlgorithm())) {
            return no(
                    VetoCode.SIGNATURE_ALGORITHM,
                    "the signature of job " + job + " uses "
                            + signed.getHeader().getAlgorithm() + ", only ES256 counts");
        }
        final String id = signed.getHeader().getKeyID();
        if (id == null) {
            return no(VetoCode.SIGNATURE_KEY_UNKNOWN, "the signature of job " + job + " does not name its key");
        }
        try {
            final ECPublicKey key = keys.named(id);
            if (key == null) {
                return no(
                        VetoCode.SIGNATURE_KEY_UNKNOWN,
                        "the signature of job " + job + " is by key '" + id + "', which '" + keysFile
                                + "' does not hold; copy submission-keys.pub.json of submit-service there");
            }
            return signed.verify(new ECDSAVerifier(key))
                    ? Optional.empty()
                    : no(
                            VetoCode.SIGNATURE_INVALID,
                            "the signature of job " + job + " is not by key '" + id + "' of submit-service");
        } catch (final IOException e) {
            return Optional.of(VetoCode.SIGNATURE_KEYS_UNREADABLE.veto(
                    "cannot check the signature of job " + job + ": the keys in '" + keysFile + "' cannot be read ("
                            + e.getMessage() + "); copy submission-keys.pub.json of submit-service there"));
        } catch (final JOSEException e) {
            return no(
                    VetoCode.SIGNATURE_INVALID,
                    "the signature of job " + job + " cannot be checked: " + e.getMessage());
        }
    }

    private static Optional<Veto> coverage(
            final SignedJWT signed,
            final UserName owner,
            final GlobalJobId job,
            final String claim,
            final String expected,
            final Instant now) {
        try {
            final JWTClaimsSet claims = signed.getJWTClaimsSet();
            if (!owner.value().equals(claims.getSubject())) {
                return no(
                        VetoCode.SIGNATURE_OWNER,
                        "job " + job + " is signed for user '" + claims.getSubject() + "', not for '" + owner + "'");
            }
            if (!job.value().equals(claims.getStringClaim("job"))) {
                return no(
                        VetoCode.SIGNATURE_JOB,
                        "the signature is for job " + claims.getStringClaim("job") + ", not for " + job);
            }
            if (!expected.equals(claims.getStringClaim(claim))) {
                return no(
                        VetoCode.SIGNATURE_SCRIPT,
                        claim.equals(READ)
                                ? "the request to read a file of job " + job + " is not the one that was signed"
                                : "the script, its arguments, its variables or the make step of job " + job
                                        + " is not what was signed");
            }
            final Date end = claims.getExpirationTime();
            if (end == null || !now.isBefore(end.toInstant())) {
                return no(
                        VetoCode.SIGNATURE_EXPIRED,
                        "the signature of job " + job
                                + (end == null ? " has no expiry" : " expired at " + end.toInstant())
                                + "; submit the job again");
            }
            return Optional.empty();
        } catch (final ParseException e) {
            return no(
                    VetoCode.SIGNATURE_UNREADABLE,
                    "the claims of the signature of job " + job + " cannot be read: " + e.getMessage());
        }
    }

    private static Optional<Veto> no(final VetoCode code, final String because) {
        return Optional.of(code.veto(because));
    }
}
