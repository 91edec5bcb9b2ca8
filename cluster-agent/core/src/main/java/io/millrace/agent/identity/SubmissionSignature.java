package io.millrace.agent.identity;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.authorization.SignedAuthorization;
import io.millrace.model.file.FileRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that submit-service has signed an {@link Authorization}, for whom, and until when. Thread-safe. */
public final class SubmissionSignature {

    private final Path keysFile;
    private final SubmissionKeys keys;

    /** @param keysFile the public keys that submit-service publishes ({@code submission-keys.pub.json} or {@code .pem}) */
    public SubmissionSignature(final Path keysFile) {
        this.keysFile = keysFile;
        this.keys = new SubmissionKeys(keysFile);
    }

    /** The result of a check. */
    public sealed interface Checked {

        /** What the owner has authorized. */
        record Valid(Authorization authorization) implements Checked {}

        /** The veto is permanent unless the key file is the cause. */
        record Invalid(Veto veto) implements Checked {}
    }

    /**
     * Checks what {@code owner} has authorized for this job.
     *
     * @param signed an authorization with its signature; null: there is none
     * @param kind only this kind is valid
     */
    public Checked check(
            final @Nullable String signed,
            final Authorization.Kind kind,
            final UserName owner,
            final GlobalJobId job,
            final Instant now) {
        final SignedAuthorization value;
        try {
            value = SignedAuthorization.of(signed == null ? "" : signed);
        } catch (final IllegalArgumentException e) {
            return new Checked.Invalid(VetoCode.SIGNATURE_UNREADABLE.veto(
                    "the signature of job " + job + " cannot be read: " + e.getMessage() + "; submit the job again"));
        }
        return invalidKey(value, job, now)
                .or(() -> mismatch(value.authorization(), kind, owner, job))
                .<Checked>map(Checked.Invalid::new)
                .orElseGet(() -> new Checked.Valid(value.authorization()));
    }

    /** Checks whether submit-service has authorized this request to read a file. */
    public Optional<Veto> verify(final FileRequest request, final Instant now) {
        return switch (check(request.signature(), Authorization.Kind.FILE_READ, request.owner(), request.job(), now)) {
            case Checked.Invalid invalid -> Optional.of(invalid.veto());
            case Checked.Valid valid ->
                valid.authorization()
                                .equals(Authorization.fileRead(
                                        valid.authorization().key(), request))
                        ? expired(request.job(), valid.authorization().until(), now)
                        : veto(
                                VetoCode.SIGNATURE_SCRIPT,
                                "the request to read a file of job " + request.job()
                                        + " is not the one that was signed");
        };
    }

    /** The veto if the time until which a job is authorized has passed. */
    public static Optional<Veto> expired(final GlobalJobId job, final Instant until, final Instant now) {
        return now.isBefore(until)
                ? Optional.empty()
                : veto(
                        VetoCode.SIGNATURE_EXPIRED,
                        "the signature of job " + job + " expired at " + until + "; submit the job again");
    }

    private Optional<Veto> invalidKey(final SignedAuthorization value, final GlobalJobId job, final Instant now) {
        final String id = value.authorization().key();
        try {
            final ECPublicKey key = keys.named(id, now);
            if (key == null) {
                return veto(
                        VetoCode.SIGNATURE_KEY_UNKNOWN,
                        "the signature of job " + job + " is by key '" + id + "', which '" + keysFile
                                + "' does not contain; copy submission-keys.pub.json of submit-service there");
            }
            return value.isBy(key)
                    ? Optional.empty()
                    : veto(
                            VetoCode.SIGNATURE_INVALID,
                            "the signature of job " + job + " is not by key '" + id + "' of submit-service");
        } catch (final IOException e) {
            return veto(
                    VetoCode.SIGNATURE_KEYS_UNREADABLE,
                    "cannot check the signature of job " + job + ": the keys in '" + keysFile + "' cannot be read ("
                            + e.getMessage() + "); copy submission-keys.pub.json of submit-service there");
        }
    }

    private static Optional<Veto> mismatch(
            final Authorization read, final Authorization.Kind kind, final UserName owner, final GlobalJobId job) {
        if (read.kind() != kind) {
            return veto(
                    VetoCode.SIGNATURE_KIND,
                    "the signature of job " + job + " is for a " + word(read.kind()) + ", not for a " + word(kind));
        }
        if (!owner.value().equals(read.owner())) {
            return veto(
                    VetoCode.SIGNATURE_OWNER,
                    "job " + job + " is signed for user '" + read.owner() + "', not for '" + owner + "'");
        }
        return job.value().equals(read.job())
                ? Optional.empty()
                : veto(VetoCode.SIGNATURE_JOB, "the signature is for job " + read.job() + ", not for " + job);
    }

    private static String word(final Authorization.Kind kind) {
        return switch (kind) {
            case SUBMISSION -> "submission";
            case DRY_RUN -> "dry run";
            case FILE_READ -> "request to read a file";
        };
    }

    private static Optional<Veto> veto(final VetoCode code, final String because) {
        return Optional.of(code.veto(because));
    }
}
