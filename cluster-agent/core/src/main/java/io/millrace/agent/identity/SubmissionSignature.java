package io.millrace.agent.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import java.io.IOException;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the signature of a submission: a compact JWS, ES256 and nothing else, with the claims {@code sub} (owner), {@code job} (ULID),
 * {@code digest} (of the scripts, see {@link ScriptDigest}) and {@code exp}. Safe for several threads.
 */
public final class SubmissionSignature {

    private final Path keysFile;
    private final SubmissionKeys keys;

    /** @param keysFile the JWK set that submit-service publishes ({@code submission-keys.pub.json}) */
    public SubmissionSignature(final Path keysFile) {
        this.keysFile = keysFile;
        this.keys = new SubmissionKeys(keysFile);
    }

    /**
     * Whether this may be carried out for {@code owner}.
     *
     * @param jws as the submission carries it
     * @param make the make step's script, null if there is none
     * @return empty if it may; otherwise why not, not permanent only where the key file is at fault
     */
    public Optional<Veto> verify(
            final String jws,
            final UserName owner,
            final GlobalJobId job,
            final String script,
            final @Nullable String make,
            final Instant now) {
        try {
            final SignedJWT signed = SignedJWT.parse(jws);
            return keyOf(signed, job).or(() -> coverage(signed, owner, job, script, make, now));
        } catch (final ParseException e) {
            return no(
                    "signature-unreadable",
                    "the signature of job " + job + " is not a compact JWS; submit the job anew");
        }
    }

    private Optional<Veto> keyOf(final SignedJWT signed, final GlobalJobId job) {
        if (!JWSAlgorithm.ES256.equals(signed.getHeader().getAlgorithm())) {
            return no(
                    "signature-algorithm",
                    "the signature of job " + job + " uses "
                            + signed.getHeader().getAlgorithm() + ", only ES256 counts");
        }
        final String id = signed.getHeader().getKeyID();
        if (id == null) {
            return no("signature-key", "the signature of job " + job + " does not name its key");
        }
        try {
            final ECPublicKey key = keys.named(id);
            if (key == null) {
                return no(
                        "signature-key",
                        "the signature of job " + job + " is by key '" + id + "', which '" + keysFile
                                + "' does not hold; copy submission-keys.pub.json of submit-service there");
            }
            return signed.verify(new ECDSAVerifier(key))
                    ? Optional.empty()
                    : no(
                            "signature-wrong",
                            "the signature of job " + job + " is not by key '" + id + "' of submit-service");
        } catch (final IOException e) {
            return Optional.of(Veto.temporary(
                    "signature-keys-unreadable",
                    "cannot check the signature of job " + job + ": the keys in '" + keysFile + "' cannot be read ("
                            + e.getMessage() + "); copy submission-keys.pub.json of submit-service there"));
        } catch (final JOSEException e) {
            return no("signature-wrong", "the signature of job " + job + " cannot be checked: " + e.getMessage());
        }
    }

    private static Optional<Veto> coverage(
            final SignedJWT signed,
            final UserName owner,
            final GlobalJobId job,
            final String script,
            final @Nullable String make,
            final Instant now) {
        try {
            final JWTClaimsSet claims = signed.getJWTClaimsSet();
            if (!owner.value().equals(claims.getSubject())) {
                return no(
                        "signature-owner",
                        "job " + job + " is signed for user '" + claims.getSubject() + "', not for '" + owner + "'");
            }
            if (!job.value().equals(claims.getStringClaim("job"))) {
                return no(
                        "signature-job",
                        "the signature is for job " + claims.getStringClaim("job") + ", not for " + job);
            }
            if (!ScriptDigest.of(script, make).equals(claims.getStringClaim("digest"))) {
                return no(
                        "signature-script",
                        "the script or make step of job " + job + " is not the one that was signed");
            }
            final Date end = claims.getExpirationTime();
            if (end == null || !now.isBefore(end.toInstant())) {
                return no(
                        "signature-expired",
                        "the signature of job " + job
                                + (end == null ? " says no end" : " was good until " + end.toInstant())
                                + "; submit the job anew");
            }
            return Optional.empty();
        } catch (final ParseException e) {
            return no(
                    "signature-unreadable",
                    "the claims of the signature of job " + job + " cannot be read: " + e.getMessage());
        }
    }

    private static Optional<Veto> no(final String code, final String because) {
        return Optional.of(Veto.permanent(code, because));
    }
}
