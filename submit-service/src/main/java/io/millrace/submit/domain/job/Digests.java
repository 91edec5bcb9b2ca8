package io.millrace.submit.domain.job;

import io.millrace.model.JobKey;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/** SHA-256 digests in hexadecimal. */
public final class Digests {

    private Digests() {}

    /**
     * The digest that a submission's signature covers: the script's bytes, one zero byte, and the bytes of the make step, if any. The
     * agent computes the same digest before it acts for the owner.
     */
    public static String ofScripts(final JobSpec spec) {
        final MessageDigest sha = sha256();
        sha.update(spec.script().getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
        if (spec.make() != null) {
            sha.update(spec.make().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** Digest of the request without the parts that differ per attempt (time, signature). Records with equal id and digest are the same job. */
    public static String ofSubmission(final JobSubmitted job) {
        final JobSpec spec = job.spec();
        final MessageDigest sha = sha256();
        for (final Object part : new Object[] {
            job.owner(),
            job.source(),
            job.directory(),
            job.target(),
            spec.name(),
            spec.script(),
            spec.make(),
            spec.resources(),
            spec.walltime(),
            spec.partition(),
            spec.project(),
            spec.checkpoint(),
            spec.strict(),
            new TreeMap<>(spec.environment())
        }) {
            final byte[] text = String.valueOf(part).getBytes(StandardCharsets.UTF_8);
            sha.update((text.length + ":").getBytes(StandardCharsets.US_ASCII));
            sha.update(text);
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** Identifies a run of a local job in 16 bytes: 5 bytes of the submit time, so that neighbours in time stay together, and 11 of a digest. */
    public static String ofRun(final JobKey job, final int run) {
        final byte[] digest = sha256().digest((job + "#" + run).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(job.submittedAt().getEpochSecond(), 10)
                + HexFormat.of().formatHex(digest, 0, 11);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available in this JDK", e);
        }
    }
}
